import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { completeBy } from './complete';
import { placeOf } from './places';
import { type JsonSchema, problems, type Schemas } from './schema';
import { theme } from './theme';

export type JsonEditorOptions = {
  box: HTMLElement;
  label: string;
  text: string;
  schemas: Schemas;
  schema: JsonSchema;
  isLocked: boolean;
  /** The text that the differences are shown against; null to show none. */
  original: string | null;
  onChange: (text: string) => void;
};

/**
 * Opens an editor and returns a function that removes it. It lives in a shadow root: there its styles are constructed
 * sheets, which the security policy allows, and not elements, which it forbids.
 */
export function openEditor(options: JsonEditorOptions): () => void {
  const root = options.box.shadowRoot ?? options.box.attachShadow({ mode: 'open' });
  const state = EditorState.create({ doc: options.text, extensions: extensions(options) });
  const view = new EditorView({ state, root, parent: root });
  view.dom.part.add('editor');
  return () => view.destroy();
}

function extensions({ label, schemas, schema, isLocked, original, onChange }: JsonEditorOptions): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    json(),
    autocompletion({ override: [completeBy(schemas, schema)], icons: false }),
    linter(jsonParseLinter()),
    linter((view) => diagnostics(view.state, schemas, schema)),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorState.readOnly.of(isLocked),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    original === null
      ? []
      : unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
    theme,
  ];
}

/** The problems of a document that is JSON, at their places. */
function diagnostics(state: EditorState, schemas: Schemas, schema: JsonSchema): Diagnostic[] {
  let value: unknown;
  try {
    value = JSON.parse(state.doc.toString());
  } catch {
    return [];
  }
  return problems(schemas, schema, value).map(({ path, message }) => ({
    ...placeOf(state, path),
    severity: 'error',
    message,
  }));
}
