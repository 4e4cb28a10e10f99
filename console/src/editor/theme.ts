import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONO = 'var(--font-mono, ui-monospace), ui-monospace, "DejaVu Sans Mono", Menlo, monospace';

/** The colors of the console, which follow its theme. */
export const theme: Extension = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '0.9286rem', height: '100%' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: MONO, lineHeight: '1.6' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--accent-soft)',
    },
    '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--accent)' },
    '.cm-completionInfo': { maxWidth: '24rem', padding: '0.4rem 0.6rem' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--block)' },
    '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--allow-soft)' },
    '.cm-changedText': { background: 'none', borderBottom: '2px solid var(--allow)' },
    '.cm-deletedChunk': { backgroundColor: 'var(--block-soft)', paddingLeft: '6px' },
    '.cm-deletedChunk .cm-deletedText': { background: 'none', borderBottom: '2px solid var(--block)' },
    '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
    '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--quiet)', padding: '2px 8px' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--accent)' },
      { tag: tags.string, color: 'var(--allow)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--escalate)' },
      { tag: tags.invalid, color: 'var(--block)' },
    ]),
  ),
];
