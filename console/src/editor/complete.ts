import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { SyntaxNode } from '@lezer/common';
import { pathTo } from './places';
import { alternatives, type JsonSchema, type Schemas, schemasAt } from './schema';

/** Completes names of fields, and values of which there are few. */
export const completeBy =
  (schemas: Schemas, root: JsonSchema) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    const word = context.matchBefore(/"?[\w-]*$/);
    const from = word?.from ?? pos;
    if (!context.explicit && (word === null || word.from === word.to)) return null;
    const property = propertyOf(node, pos);
    const options =
      property === null
        ? fields(schemas, schemasAt(schemas, root, pathTo(state, containerOf(node))), namesIn(state.sliceDoc(), node))
        : values(schemas, schemasAt(schemas, root, pathTo(state, property)));
    // Closing marks that the editor wrote are replaced too.
    const to = word && state.sliceDoc(pos, pos + 1) === '"' ? pos + 1 : pos;
    return options.length === 0 ? null : { from, to, options, validFor: /^"?[\w-]*$/ };
  };

/** Returns the value of a property that a position is in, if it is after the colon; null in names and between fields. */
function propertyOf(node: SyntaxNode, pos: number): SyntaxNode | null {
  for (let current: SyntaxNode | null = node; current; current = current.parent) {
    if (current.name === 'Object') return null;
    if (current.name === 'PropertyName') return null;
    if (current.name === 'Property' || current.name === 'Array') {
      const last = current.lastChild;
      return last && last.from <= pos && last.name !== 'PropertyName' && last.name !== 'Object' ? last : null;
    }
  }
  return null;
}

/** Returns the innermost object around a node. */
function containerOf(node: SyntaxNode): SyntaxNode {
  let current = node;
  while (current.name !== 'Object' && current.parent) current = current.parent;
  return current;
}

/** Returns the names of the fields that an object has already. */
function namesIn(text: string, node: SyntaxNode): Set<string> {
  const names = containerOf(node)
    .getChildren('Property')
    .map((property) => property.getChild('PropertyName'))
    .filter((name) => name !== null && !(name.from <= node.from && node.to <= name.to));
  return new Set(names.map((name) => text.slice((name?.from ?? 0) + 1, (name?.to ?? 0) - 1)));
}

function fields(schemas: Schemas, objects: JsonSchema[], present: Set<string>): Completion[] {
  return objects.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([name]) => !present.has(name))
      .map(([name, field]) => {
        const [first] = alternatives(schemas, field);
        return {
          label: `"${name}"`,
          apply: `"${name}": `,
          type: 'property',
          info: field.description ?? first?.description,
          boost: required.includes(name) ? 1 : 0,
        };
      }),
  );
}

function values(schemas: Schemas, found: JsonSchema[]): Completion[] {
  return found.flatMap((schema) =>
    alternatives(schemas, schema).flatMap(({ enum: choices, type }) => {
      const literals = choices ?? (type === 'boolean' ? [true, false] : type === 'null' ? [null] : []);
      return literals.map((literal) => ({ label: JSON.stringify(literal), type: 'constant' }));
    }),
  );
}
