import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['editor'] = {
  problems: 'Probleme',
  problemCount: (problems) => counted(problems, 'Problem', 'Probleme'),
  line: (line) => `Zeile ${line}`,
  duplicate: (field) => `Das Objekt hat das Feld ${field} bereits.`,
  required: (field) => `Das Feld ${field} fehlt.`,
  unknown: (field) => `Es gibt kein Feld ${field}.`,
  type: (expected) => `Erwartet: ${expected}.`,
  oneOf: (values) => `Erwartet: einer der Werte ${values}.`,
  least: (limit) => `Erwartet: ${limit} oder mehr.`,
  most: (limit) => `Erwartet: höchstens ${limit}.`,
  shortest: (limit) => `Erwartet: mindestens ${limit} Zeichen.`,
  longest: (limit) => `Erwartet: höchstens ${limit} Zeichen.`,
  mostItems: (limit) => `Erwartet: höchstens ${limit} Elemente.`,
  types: {
    array: 'eine Liste',
    boolean: 'true oder false',
    integer: 'eine ganze Zahl',
    null: 'null',
    number: 'eine Zahl',
    object: 'ein Objekt',
    string: 'ein Text',
  },
  or: (types) => types.join(' oder '),
};
