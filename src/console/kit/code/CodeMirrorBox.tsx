import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { CodeEditorProps } from './code-types.ts'
import { openEditor, showDiagnostics, showMarks, showPlace, showText } from './editor.ts'

/** CodeMirror inside a shadow root: there its styles are adopted sheets, which a strict policy of content lets pass. */
export default function CodeMirrorBox(props: CodeEditorProps) {
  const { value, onChange, label, language = 'text', diagnostics, marks, place, lines } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const isReadOnly = onChange === undefined
  const least = lines?.least ?? 8
  const most = lines?.most ?? 32
  const first = useRef(value)

  useEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const opened = openEditor(root, {
      text: first.current,
      label,
      language,
      isReadOnly,
      least,
      most,
      onChange: text => {
        first.current = text
        changed.current?.(text)
      },
    })
    view.current = opened
    return () => {
      view.current = null
      opened.destroy()
    }
  }, [label, language, isReadOnly, least, most])

  useEffect(() => {
    first.current = value
    if (view.current) showText(view.current, value)
  }, [value])
  useEffect(() => {
    if (view.current) showDiagnostics(view.current, diagnostics ?? [])
  }, [diagnostics])
  useEffect(() => {
    if (view.current) showMarks(view.current, marks ?? [])
  }, [marks])
  useEffect(() => {
    if (view.current && place) showPlace(view.current, place)
  }, [place])

  return <div ref={host} className="code-editor" translate="no" />
}
