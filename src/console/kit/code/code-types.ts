export type CodeLanguage = 'rules' | 'javascript' | 'json' | 'text'

/** Something to say about a place, from 1; the end excluded. */
export interface EditorDiagnostic {
  severity: 'ERROR' | 'WARN' | 'INFO'
  line: number
  col: number
  endLine: number
  endCol: number
  message: string
  /** What to put instead of the place. */
  fix?: { title: string; text: string } | null
}

/** A line that is shown in a tone, with a word behind it. */
export interface LineMark {
  line: number
  tone: 'good' | 'bad' | 'caution' | 'quiet'
  text?: string
}

export interface CodeEditorProps {
  value: string
  /** Left out, the text can be read and copied only. */
  onChange?: (value: string) => void
  /** What it is, for who does not see it. */
  label: string
  language?: CodeLanguage
  diagnostics?: readonly EditorDiagnostic[]
  marks?: readonly LineMark[]
  /** A place to go to; a new object goes there again. */
  place?: { line: number; col: number } | null
  /** Lines at least and at most; beyond, it scrolls. */
  lines?: { least: number; most: number }
}
