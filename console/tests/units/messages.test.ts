import ts from 'typescript';
import { expect, test } from 'vitest';

// Every source of the console, by its path below `src`.
const SOURCES = Object.entries(
  import.meta.glob<string>('../../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)
  .map(([path, text]) => [path.replace('../../src/', ''), text] as const)
  .filter(([path]) => !path.endsWith('.d.ts'));
const isMessages = (path: string) => path.startsWith('messages/');
// The rules of English do not fit the translations, which are in folders of their own.
const isEnglish = (path: string) => /^messages\/[\w-]+\.ts$/.test(path);

const parse = (path: string, text: string) =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** The fixed parts of a literal or a template; null for any other expression. */
function literalOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' ');
  return null;
}

const COMBINING = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/** The literals that an expression can result in, through conditions, defaults and parentheses. */
function results(node: ts.Node): string[] {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return results(node.expression);
  if (ts.isConditionalExpression(node)) return [...results(node.whenTrue), ...results(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind;
    if (!COMBINING.has(operator)) return [];
    // The left side of `&&` is only a condition.
    const left = operator === ts.SyntaxKind.AmpersandAmpersandToken ? [] : results(node.left);
    return [...left, ...results(node.right)];
  }
  const literal = literalOf(node);
  return literal === null ? [] : [literal];
}

const PROSE = /^\p{Lu}\p{Ll}+ \p{L}/u;
const hasWords = (text: string) => /\p{L}{2,}/u.test(text);

// Attributes and properties whose value users read or hear.
const VISIBLE = new Set(['alt', 'aria-description', 'aria-label', 'description', 'empty', 'head', 'help', 'hint']);
for (const name of ['intro', 'label', 'note', 'optional', 'placeholder', 'title', 'verb']) VISIBLE.add(name);
// Components whose `name` is an accessible name; elsewhere it is the name of a form field.
const NAMED = new Set(['Histogram', 'Table', 'Tabs', 'TimeChart']);
// Elements whose content is code.
const CODE = new Set(['code', 'pre']);
// Names of products with several words.
const PRODUCTS = new Set(['Claude Code']);
// Names of programs and languages in the list of code snippets.
const PROPER_NAMES = new Set(['curl', 'Python', 'JavaScript', 'LiteLLM']);

const tagOf = (node: ts.Node): string =>
  ts.isJsxElement(node)
    ? node.openingElement.tagName.getText()
    : ts.isJsxSelfClosingElement(node)
      ? node.tagName.getText()
      : '';

/** The texts in a syntax node that belong in the messages. */
function visibleTexts(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return CODE.has(tagOf(node.parent)) ? [] : [node.text];
  if (ts.isJsxExpression(node) && node.expression && !ts.isJsxAttribute(node.parent)) return results(node.expression);
  if (ts.isJsxAttribute(node) && node.initializer) {
    const name = node.name.getText();
    const isName = name === 'name' && NAMED.has(node.parent.parent.tagName.getText());
    if (!VISIBLE.has(name) && !isName) return [];
    return results(ts.isJsxExpression(node.initializer) ? (node.initializer.expression ?? node) : node.initializer);
  }
  // Prose anywhere else, such as in the options of a select.
  const literal = literalOf(node);
  if (literal !== null && !ts.isJsxAttribute(node.parent)) return PROSE.test(literal) ? [literal] : [];
  if (ts.isPropertyAssignment(node) && VISIBLE.has(node.name.getText())) return results(node.initializer);
  const isCall = ts.isCallExpression(node) && node.expression.getText() === 'toast';
  const isError = ts.isNewExpression(node) && node.expression.getText() === 'Error';
  return isCall || isError ? (node.arguments ?? []).flatMap((argument) => results(argument)) : [];
}

test('every text that users read or hear is in the messages', { timeout: 30_000 }, () => {
  const found: string[] = [];
  for (const [path, content] of SOURCES.filter(([path]) => !isMessages(path))) {
    const source = parse(path, content);
    walk(source, (node) => {
      for (const text of visibleTexts(node)) {
        if (!hasWords(text) || PROPER_NAMES.has(text)) continue;
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${path}:${line + 1}: ${text.trim()}`);
      }
    });
  }
  expect(found).toEqual([]);
});

// Words of the glossary's right column, and what stands for them.
const FORBIDDEN: [RegExp, string][] = [
  [/\brows?\b/i, 'log entry'],
  [/\bjudg\w*/i, 'evaluate, decision'],
  [/\b(tells?|told)\b/i, 'report, show'],
  [/\bdisguis\w*/i, 'obfuscation, encoding'],
  [/\bmutat\w*/i, 'obfuscation'],
  [/\bupkeep\b/i, 'maintenance'],
  [/\btrials?\b/i, 'dry run'],
  [/\bpictures?\b/i, 'image'],
  [/\brecordings?\b/i, 'audio'],
  [/\b(hear|heard)\b/i, 'transcript'],
  [/\bpaint\w*/i, 'redact'],
  [/\bsilenc\w*/i, 'mute'],
  [/\bmark(s|ed|ing)?\b/i, 'feedback'],
  [/\b(a|the|all|no|of|its) finds?\b|\bfinds\b/i, 'finding'],
  [/\btak(e|es|en) (\w+ )*away\b/i, 'remove, clear'],
  [/\bbeside\b/i, 'next to, with'],
  [/\bfigures?\b/i, 'metrics'],
  [/\baftermath\b/i, 'side effects'],
  [/\bstand(s|ing)?\b/i, 'is, context'],
  [/\bstandby\b/i, 'degraded mode'],
  [/\brehears\w*/i, 'warm-up'],
  [/\bwanted\b/i, 'requested'],
  [/\bfaults?\b/i, 'error'],
  [/\bcheckpoints?\b/i, 'custom model'],
  [/\bkinds?\b/i, 'type'],
  [/\balways (allowed|blocked)\b/i, 'allow list, block list'],
  [/\bso called\b|\bcalled so\b/i, 'No matches'],
  [/\bfor (good|ever)\b/i, 'permanently'],
  [/\b(is|are) kept\b|\bkeeps\b/i, 'stored'],
  [
    /\w*(organis|recognis|authoris|summaris|labell|colour|behaviour|favourite|cancel[l]ed|centre|licence)\w*/i,
    'American spelling',
  ],
  [/\b(says|said)\b/i, 'report, show'],
  [/\binvalid\b/i, 'error, or what is accepted'],
  [/\bof before\b/i, 'previous'],
  [/\bgets? (allowed|blocked|masked|denied)\b/i, 'is allowed, is blocked'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\b(please|sorry|oops|simply|just)\b/i, 'nothing'],
  [/\b(give|gives|given) again\b/i, 'run again'],
  [/!/, 'a full stop'],
  [/\.\.\./, '…'],
  [/(?<=\s)'|'(?=\s)/, '“ and ”'],
];

/** The English texts of every message with their file, without imports. */
function* messageTexts(): Generator<[path: string, text: string]> {
  for (const [path, content] of SOURCES.filter(([path]) => isEnglish(path))) {
    const found: string[] = [];
    walk(parse(path, content), (node) => {
      const text = ts.isImportDeclaration(node.parent ?? node) ? null : literalOf(node);
      if (text !== null) found.push(text);
    });
    for (const text of found) yield [path, text];
  }
}

test('messages use the terms of the glossary', () => {
  const found: string[] = [];
  for (const [path, text] of messageTexts())
    for (const [pattern, instead] of FORBIDDEN)
      if (pattern.test(text)) found.push(`${path}: “${text}”: use ${instead}`);
  expect(found).toEqual([]);
});

// Sentences are longer than titles and buttons only by what they explain.
const LONGEST_SENTENCE = 25;

test('sentences have at most 25 words', () => {
  const found: string[] = [];
  for (const [path, text] of messageTexts())
    for (const sentence of text.split(/[.:;?](?:\s|$)/))
      if (sentence.split(/\s+/).filter(hasWords).length > LONGEST_SENTENCE) found.push(`${path}: ${sentence.trim()}`);
  expect(found).toEqual([]);
});

test('titles and buttons are in sentence case', () => {
  const found: string[] = [];
  for (const [path, text] of messageTexts()) {
    if (path === 'messages/pii.ts' || PRODUCTS.has(text) || /[.,:;?(“/]/.test(text)) continue;
    const [, ...others] = text.split(/\s+/);
    // Words in capitals are abbreviations.
    const capitals = others.filter((word) => /^\p{Lu}\p{Ll}+$/u.test(word));
    if (capitals.length > 0) found.push(`${path}: “${text}”: ${capitals.join(', ')}`);
  }
  expect(found).toEqual([]);
});
