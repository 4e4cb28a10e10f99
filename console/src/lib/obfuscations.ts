import { messages } from '@/messages/playground';
/** A way in which attackers hide text. */
export type Obfuscation = { name: string; apply: (text: string) => string };

const bytes = (text: string) => [...new TextEncoder().encode(text)];
const each = (text: string, change: (letter: string) => string) => [...text].map(change).join('');

const LEET: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
// Cyrillic and Greek letters that look like Latin ones (Unicode confusables).
const TWINS: Record<string, string> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  j: 'ј',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  I: 'І',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  T: 'Т',
  X: 'Х',
  v: 'ν',
};
const MORSE: Record<string, string> = Object.fromEntries(
  [
    'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...-',
    'w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----.',
  ]
    .flatMap((line) => line.split(' '))
    .map((entry) => [entry[0], entry.slice(1)]),
);

/** Encodes text as Base32 (RFC 4648, section 6). */
function base32(text: string): string {
  const bits = bytes(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const letters = (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
  return letters.padEnd(Math.ceil(letters.length / 8) * 8, '=');
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

const { names } = messages.obfuscation;

/** Fifteen obfuscations, from encodings to look-alike letters. */
export const OBFUSCATIONS: Obfuscation[] = [
  { name: names.base64, apply: (text) => btoa(String.fromCharCode(...bytes(text))) },
  { name: names.base32, apply: base32 },
  { name: names.hex, apply: (text) => bytes(text).map(hex).join('') },
  {
    name: names.url,
    apply: (text) =>
      bytes(text)
        .map((byte) => `%${hex(byte)}`)
        .join(''),
  },
  { name: names.html, apply: (text) => each(text, (letter) => `&#${letter.codePointAt(0)};`) },
  {
    name: names.unicode,
    apply: (text) =>
      text
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  },
  { name: names.rot13, apply: rot13 },
  {
    name: names.morse,
    apply: (text) =>
      text
        .toLowerCase()
        .split(/\s+/)
        .map((word) =>
          [...word]
            .map((letter) => MORSE[letter])
            .filter(Boolean)
            .join(' '),
        )
        .filter(Boolean)
        .join(' / '),
  },
  { name: names.reversed, apply: (text) => [...text].reverse().join('') },
  { name: names.leetspeak, apply: (text) => each(text, (letter) => LEET[letter.toLowerCase()] ?? letter) },
  {
    name: names.spaced,
    apply: (text) =>
      text
        .split(/\s+/)
        .map((word) => [...word].join(' '))
        .join('   '),
  },
  { name: names.confusables, apply: (text) => each(text, (letter) => TWINS[letter] ?? letter) },
  { name: names.zeroWidth, apply: (text) => [...text].join('\u200b') },
  {
    name: names.tags,
    apply: (text) =>
      each(text, (letter) =>
        letter >= ' ' && letter <= '~' ? String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)) : letter,
      ),
  },
  {
    name: names.fullWidth,
    apply: (text) =>
      each(text, (letter) =>
        letter > ' ' && letter <= '~' ? String.fromCodePoint(0xfee0 + (letter.codePointAt(0) ?? 0)) : letter,
      ),
  },
];
