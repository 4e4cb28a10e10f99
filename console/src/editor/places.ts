import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { Path } from './schema';

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};
const isValue = ({ name }: SyntaxNode) => VALUES.has(name);

/** Returns the name of a property without its quotation marks. */
function nameOf(state: EditorState, property: SyntaxNode): string | null {
  const name = property.getChild('PropertyName');
  if (name === null) return null;
  try {
    return String(JSON.parse(state.sliceDoc(name.from, name.to)));
  } catch {
    return null;
  }
}

/** Returns the path of the innermost object or array around a position, or of the value that begins there. */
export function pathTo(state: EditorState, node: SyntaxNode): Path {
  const path: Path = [];
  for (let current: SyntaxNode | null = node; current?.parent; current = current.parent) {
    const { parent } = current;
    if (parent.name === 'Property' && isValue(current)) {
      const name = nameOf(state, parent);
      if (name !== null) path.unshift(name);
    } else if (parent.name === 'Array' && isValue(current)) {
      const at = current.from;
      path.unshift(childrenOf(parent).filter((child) => isValue(child) && child.from < at).length);
    }
  }
  return path;
}

/** Returns the part of the text that a path leads to; the nearest existing ancestor if there is none. */
export function placeOf(state: EditorState, path: Path): { from: number; to: number } {
  let node: SyntaxNode | null = syntaxTree(state).topNode.firstChild;
  for (const step of path) {
    if (node === null) break;
    const next: SyntaxNode | null | undefined =
      typeof step === 'number'
        ? childrenOf(node).filter(isValue)[step]
        : childrenOf(node).find((child) => child.name === 'Property' && nameOf(state, child) === step)?.lastChild;
    if (!next) break;
    node = next;
  }
  if (node === null) return { from: 0, to: 0 };
  // An object or a list is underlined at its start alone.
  const isLarge = node.name === 'Object' || node.name === 'Array';
  return { from: node.from, to: isLarge ? node.from + 1 : node.to };
}
