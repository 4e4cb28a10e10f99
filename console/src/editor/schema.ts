import { messages as text } from '@/messages/editor';

/** The parts of a JSON schema that the API document uses. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};

/** The named schemas of the API document. */
export type Schemas = Record<string, JsonSchema>;

/** The place of a value in a document: keys and indexes from the root. */
export type Path = (string | number)[];
export type Problem = { path: Path; message: string };

const MOST_PROBLEMS = 100;

/** Follows references, and merges the parts of a schema. What a reference stands beside stays. */
export function resolved(schemas: Schemas, schema: JsonSchema): JsonSchema {
  const { $ref, allOf = [], ...own } = schema;
  const parts = [...allOf, ...($ref === undefined ? [] : [schemas[$ref.split('/').at(-1) ?? ''] ?? {}])];
  if (parts.length === 0) return own;
  const merged = parts.map((part) => resolved(schemas, part));
  return {
    ...Object.assign({}, ...merged),
    ...own,
    properties: Object.assign({}, ...merged.map(({ properties }) => properties), own.properties),
    required: [...merged.flatMap(({ required = [] }) => required), ...(own.required ?? [])],
  };
}

/** The schemas of which one applies: the alternatives, or the schema itself. */
export function alternatives(schemas: Schemas, schema: JsonSchema): JsonSchema[] {
  const whole = resolved(schemas, schema);
  return whole.oneOf ? whole.oneOf.flatMap((one) => alternatives(schemas, one)) : [whole];
}

const typesOf = ({ type, properties }: JsonSchema): string[] =>
  type === undefined ? (properties && Object.keys(properties).length > 0 ? ['object'] : []) : [type].flat();

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

const fits = (schema: JsonSchema, value: unknown): boolean => {
  const types = typesOf(schema);
  const type = typeOf(value);
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
};

/** Returns what is wrong with a value, at most 100 problems. */
export function problems(schemas: Schemas, schema: JsonSchema, value: unknown, path: Path = []): Problem[] {
  const all = alternatives(schemas, schema);
  const fitting = all.filter((one) => fits(one, value));
  if (fitting.length === 0) {
    const expected = [...new Set(all.flatMap(typesOf))].map((type) => text.types[type] ?? type);
    return [{ path, message: text.type(text.or(expected)) }];
  }
  const found = fitting.map((one) => ofAlternative(schemas, one, value, path));
  // The alternative that the value is closest to.
  return (found.toSorted((one, other) => one.length - other.length)[0] ?? []).slice(0, MOST_PROBLEMS);
}

function ofAlternative(schemas: Schemas, schema: JsonSchema, value: unknown, path: Path): Problem[] {
  if (schema.enum && !schema.enum.includes(value))
    return [{ path, message: text.oneOf(schema.enum.map((one) => JSON.stringify(one)).join(', ')) }];
  if (Array.isArray(value)) return ofArray(schemas, schema, value, path);
  if (typeof value === 'object' && value !== null) return ofObject(schemas, schema, { ...value }, path);
  return ofScalar(schema, value).map((message) => ({ path, message }));
}

function ofArray(schemas: Schemas, { items, maxItems }: JsonSchema, values: unknown[], path: Path): Problem[] {
  const tooMany = maxItems !== undefined && values.length > maxItems;
  return [
    ...(tooMany ? [{ path, message: text.mostItems(maxItems) }] : []),
    ...(items ? values.flatMap((value, index) => problems(schemas, items, value, [...path, index])) : []),
  ];
}

function ofObject(
  schemas: Schemas,
  { properties = {}, required = [] }: JsonSchema,
  value: Record<string, unknown>,
  path: Path,
): Problem[] {
  const isOpen = Object.keys(properties).length === 0;
  const missing = required.filter((name) => !(name in value));
  return [
    ...missing.map((name) => ({ path, message: text.required(name) })),
    ...Object.entries(value).flatMap(([name, field]) => {
      const schema = properties[name];
      if (schema) return problems(schemas, schema, field, [...path, name]);
      return isOpen ? [] : [{ path: [...path, name], message: text.unknown(name) }];
    }),
  ];
}

function ofScalar({ minimum, maximum, minLength, maxLength }: JsonSchema, value: unknown): string[] {
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return [text.least(minimum)];
    if (maximum !== undefined && value > maximum) return [text.most(maximum)];
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (minLength !== undefined && length < minLength) return [text.shortest(minLength)];
    if (maxLength !== undefined && length > maxLength) return [text.longest(maxLength)];
  }
  return [];
}

/** Returns the schemas of a place: those of the alternatives that have it. */
export function schemasAt(schemas: Schemas, root: JsonSchema, path: Path): JsonSchema[] {
  let found = alternatives(schemas, root);
  for (const step of path)
    found = found.flatMap(({ properties, items }) => {
      const next = typeof step === 'number' ? items : properties?.[step];
      return next ? alternatives(schemas, next) : [];
    });
  return found;
}
