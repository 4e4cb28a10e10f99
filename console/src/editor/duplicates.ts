/** A key that its object already has, with its place in the text. */
export type Duplicate = { name: string; from: number; to: number };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;

/** Returns the keys of a JSON text that their objects have more than once. Only the last one would count. */
export function duplicateKeys(text: string): Duplicate[] {
  const found: Duplicate[] = [];
  // The keys of each open object; null for a list.
  const open: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (/^\s*:/.test(text.slice(index + token.length, index + token.length + 100))) {
      const keys = open.at(-1);
      const to = index + token.length;
      if (keys?.has(token)) found.push({ name: token, from: index, to });
      keys?.add(token);
    }
  }
  return found;
}
