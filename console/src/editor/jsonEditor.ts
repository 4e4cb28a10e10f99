import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import {
  type Diagnostic,
  forEachDiagnostic,
  linter,
  lintGutter,
  lintKeymap,
  setDiagnosticsEffect,
} from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { messages as text } from '@/messages/editor';
import { completeBy } from './complete';
import { duplicateKeys } from './duplicates';
import type { ListedProblem } from './Problems';
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
  /** Called with the problems of the document, by line, whenever it was checked. */
  onProblems: (problems: ListedProblem[]) => void;
};

/** An open editor. */
export type OpenEditor = {
  close: () => void;
  /** Moves the cursor to a place of the document. */
  goTo: (from: number) => void;
};

/**
 * Opens an editor. It lives in a shadow root: there its styles are constructed
 * sheets, which the security policy allows, and not elements, which it forbids.
 */
export function openEditor(options: JsonEditorOptions): OpenEditor {
  const root = options.box.shadowRoot ?? options.box.attachShadow({ mode: 'open' });
  const state = EditorState.create({ doc: options.text, extensions: extensions(options) });
  const view = new EditorView({ state, root, parent: root });
  view.dom.part.add('editor');
  return {
    close: () => view.destroy(),
    goTo: (from) => {
      const anchor = Math.min(from, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
  };
}

function extensions({
  label,
  schemas,
  schema,
  isLocked,
  original,
  onChange,
  onProblems,
}: JsonEditorOptions): Extension {
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
    EditorView.updateListener.of((update) => isChecked(update) && onProblems(listed(update.state))),
    original === null
      ? []
      : unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
    theme,
  ];
}

/** True if the document was checked with this update. */
const isChecked = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(setDiagnosticsEffect)));

function listed(state: EditorState): ListedProblem[] {
  const found: ListedProblem[] = [];
  forEachDiagnostic(state, ({ message }, from) => {
    found.push({ line: state.doc.lineAt(from).number, message, from });
  });
  return found;
}

/** The problems of a document that is JSON, at their places. */
function diagnostics(state: EditorState, schemas: Schemas, schema: JsonSchema): Diagnostic[] {
  let value: unknown;
  try {
    value = JSON.parse(state.doc.toString());
  } catch {
    return [];
  }
  const repeated = duplicateKeys(state.doc.toString()).map(({ name, from, to }) => ({
    from,
    to,
    severity: 'error' as const,
    message: text.duplicate(name),
  }));
  const misfits = problems(schemas, schema, value).map(({ path, message }) => ({
    ...placeOf(state, path),
    severity: 'error' as const,
    message,
  }));
  return [...repeated, ...misfits];
}
