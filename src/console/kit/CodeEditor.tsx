import './code/code-editor.css'
import { lazy, Suspense } from 'react'
import type { CodeEditorProps } from './code/code-types.ts'

export type { CodeLanguage, LineMark } from './code/code-types.ts'

const Box = lazy(() => import('./code/CodeMirrorBox.tsx'))

/** A text of code with colours, line numbers and diagnostics in the gutter. Its code comes when the first one is on screen. */
export function CodeEditor(props: CodeEditorProps) {
  const fallback = (
    <pre className="code-editor code-editor-plain" translate="no">
      {props.value}
    </pre>
  )
  return (
    <Suspense fallback={fallback}>
      <Box {...props} />
    </Suspense>
  )
}
