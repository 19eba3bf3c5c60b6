import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint'
import {
  Annotation,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view'
import type { CodeLanguage, EditorDiagnostic, LineMark } from './code-types.ts'
import { colours, editorTheme } from './editor-theme.ts'
import { jsonLanguage } from './json-language.ts'
import { completeRules, rulesLanguage } from './rules-language.ts'

interface EditorOptions {
  text: string
  label: string
  language: CodeLanguage
  isReadOnly: boolean
  least: number
  most: number
  onChange: (text: string) => void
}

const languages: Record<CodeLanguage, Extension> = {
  rules: [rulesLanguage, rulesLanguage.data.of({ autocomplete: completeRules })],
  javascript: javascript(),
  json: [jsonLanguage],
  text: [],
}

export function openEditor(root: ShadowRoot, options: EditorOptions): EditorView {
  const { text, label, language, isReadOnly, least, most, onChange } = options
  const editing: Extension = isReadOnly
    ? [EditorState.readOnly.of(true)]
    : [
        history(),
        closeBrackets(),
        indentOnInput(),
        autocompletion(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
      ]
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      language === 'text' ? [] : lintGutter(),
      editing,
      bracketMatching(),
      indentUnit.of('  '),
      EditorView.lineWrapping,
      languages[language],
      syntaxHighlighting(colours),
      editorTheme(least, most),
      marksField,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...completionKeymap,
        { key: 'F8', run: nextDiagnostic },
        { key: 'Shift-F8', run: previousDiagnostic },
      ]),
      EditorView.updateListener.of(update => {
        const isTyped = update.docChanged && !update.transactions.some(one => one.annotation(fromOutside) === true)
        if (isTyped) onChange(update.state.doc.toString())
      }),
    ],
  })
  return new EditorView({ state, parent: root, root })
}

/** A text that came from outside is not told back. */
const fromOutside = Annotation.define<boolean>()

export function showText(view: EditorView, text: string): void {
  if (view.state.doc.toString() === text) return
  const { head } = view.state.selection.main
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert: text },
    selection: { anchor: Math.min(head, text.length) },
    annotations: fromOutside.of(true),
  })
}

function offsetOf(doc: Text, line: number, col: number): number {
  const found = doc.line(Math.min(Math.max(1, line), doc.lines))
  return Math.min(found.from + Math.max(0, col - 1), found.to)
}

const severities = { ERROR: 'error', WARN: 'warning', INFO: 'info' } as const

export function showDiagnostics(view: EditorView, list: readonly EditorDiagnostic[]): void {
  const { doc } = view.state
  const shown = list.map(({ severity, line, col, endLine, endCol, message, fix }): Diagnostic => {
    const from = offsetOf(doc, line, col)
    const to = Math.max(from, offsetOf(doc, endLine, endCol))
    const actions = fix && !view.state.readOnly ? [fixOf(fix)] : []
    return { from, to, severity: severities[severity], message, actions }
  })
  view.dispatch(setDiagnostics(view.state, shown))
}

const fixOf = (fix: { title: string; text: string }) => ({
  name: fix.title,
  apply: (view: EditorView, from: number, to: number) => view.dispatch({ changes: { from, to, insert: fix.text } }),
})

export function showPlace(view: EditorView, { line, col }: { line: number; col: number }): void {
  const anchor = offsetOf(view.state.doc, line, col)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}

const setMarks = StateEffect.define<readonly LineMark[]>()

class MarkText extends WidgetType {
  readonly text: string

  constructor(text: string) {
    super()
    this.text = text
  }

  override eq(other: MarkText): boolean {
    return other.text === this.text
  }

  toDOM(): HTMLElement {
    const element = document.createElement('span')
    element.className = 'cm-markText'
    element.textContent = this.text
    return element
  }
}

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, transaction) {
    const effect = transaction.effects.find(one => one.is(setMarks))
    return effect ? decorated(transaction.state.doc, effect.value) : before.map(transaction.changes)
  },
  provide: field => EditorView.decorations.from(field),
})

function decorated(doc: Text, marks: readonly LineMark[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const sorted = marks.filter(mark => mark.line >= 1 && mark.line <= doc.lines).sort((a, b) => a.line - b.line)
  for (const { line, tone, text } of sorted) {
    const { from, to } = doc.line(line)
    builder.add(from, from, Decoration.line({ class: `cm-mark cm-mark-${tone}` }))
    if (text) builder.add(to, to, Decoration.widget({ widget: new MarkText(text), side: 1 }))
  }
  return builder.finish()
}

export function showMarks(view: EditorView, marks: readonly LineMark[]): void {
  view.dispatch({ effects: setMarks.of(marks) })
}
