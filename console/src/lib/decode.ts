const rotated = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
const bytes = (values: number[]) => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(values));
const pairs = (text: string) => text.replace(/[^0-9a-f]/gi, '').match(/../g) ?? [];

// Decoders for encodings that evidence names. For other encodings only the name is shown.
const DECODERS: Record<string, (text: string) => string> = {
  base64: (text) =>
    bytes(
      [...atob(text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/'))].map((unit) => unit.charCodeAt(0)),
    ),
  hex: (text) => bytes(pairs(text).map((pair) => Number.parseInt(pair, 16))),
  url: (text) => decodeURIComponent(text),
  percent: (text) => decodeURIComponent(text),
  rot13: rotated,
  reversed: (text) => [...text].reverse().join(''),
};

/** Decodes text with the encodings that `evidence` names ("… behind base64"); null if it cannot be decoded. */
export function decoded(text: string, evidence: string): string | null {
  const names =
    /behind (.+)$/
      .exec(evidence)?.[1]
      ?.toLowerCase()
      .split(/[^a-z0-9]+/) ?? [];
  try {
    const taken = names
      .filter((name) => name in DECODERS)
      .reduce((shown, name) => DECODERS[name]?.(shown) ?? shown, text);
    return taken === text ? null : taken;
  } catch {
    return null;
  }
}
