import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['editor'] = {
  problems: 'Problemas',
  problemCount: (problems) => counted(problems, 'problema', 'problemas'),
  line: (line) => `Línea ${line}`,
  duplicate: (field) => `El objeto ya tiene el campo ${field}.`,
  required: (field) => `Falta el campo ${field}.`,
  unknown: (field) => `No existe el campo ${field}.`,
  type: (expected) => `Se esperaba ${expected}.`,
  oneOf: (values) => `Se esperaba uno de estos valores: ${values}.`,
  least: (limit) => `Se esperaba ${limit} o más.`,
  most: (limit) => `Se esperaba ${limit} o menos.`,
  shortest: (limit) => `Se esperaban ${limit} caracteres o más.`,
  longest: (limit) => `Se esperaban ${limit} caracteres o menos.`,
  mostItems: (limit) => `Se esperaban ${limit} elementos o menos.`,
  types: {
    array: 'una lista',
    boolean: 'true o false',
    integer: 'un número entero',
    null: 'null',
    number: 'un número',
    object: 'un objeto',
    string: 'un texto',
  },
  or: (types) => types.join(' o '),
};
