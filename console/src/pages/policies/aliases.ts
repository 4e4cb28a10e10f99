import type { Schema } from '@/api/client';

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a policy names a framework by its ID, its name or another name. Case and punctuation do not matter. */
export const isNamed = ({ framework, name, aliases }: Schema<'KnownFramework'>, one: string): boolean =>
  [framework, name, ...aliases].map(plain).includes(plain(one));
