import { counted } from './counted';
import { translated } from './translated';

/** Texts of the JSON editor. */
const english = {
  problems: 'Problems',
  problemCount: (problems: number) => counted(problems, 'problem'),
  line: (line: number) => `Line ${line}`,
  duplicate: (field: string) => `The object already has the field ${field}.`,
  required: (field: string) => `The field ${field} is missing.`,
  unknown: (field: string) => `There is no field ${field}.`,
  type: (expected: string) => `Expected ${expected}.`,
  oneOf: (values: string) => `Expected one of ${values}.`,
  least: (limit: number) => `Expected ${limit} or more.`,
  most: (limit: number) => `Expected ${limit} or less.`,
  shortest: (limit: number) => `Expected ${limit} or more characters.`,
  longest: (limit: number) => `Expected ${limit} or fewer characters.`,
  mostItems: (limit: number) => `Expected ${limit} or fewer items.`,
  types: {
    array: 'a list',
    boolean: 'true or false',
    integer: 'a whole number',
    null: 'null',
    number: 'a number',
    object: 'an object',
    string: 'a text',
  } as Record<string, string>,
  or: (types: string[]) => types.join(' or '),
} as const;

export const messages = translated('editor', english);
