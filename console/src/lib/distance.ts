/** Returns how many letters have to be inserted, removed or replaced to get from one word to another (Levenshtein). */
export function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, target] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (letter === target ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above[other.length] ?? 0;
}
