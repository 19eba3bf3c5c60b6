import i18next from 'i18next'
import { CallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { commonErrors, type ErrorRow } from '../../../../kernel/errors.ts'
import { files } from '../contract.ts'
import { pictureMimes } from '../rules.ts'
import { fileTasks } from '../tasks/contract.ts'
import type { Verdict } from '../tasks/rules.ts'
import type { FileView } from './file-calls.ts'

export const ns = 'ground/files'

export const toneOf: Readonly<Record<Verdict, Tone>> = {
  PASS: 'good',
  RISK: 'caution',
  REJECT: 'bad',
  ERROR: 'stopped',
}

export const isPicture = (file: FileView) => pictureMimes.includes(file.mime)

const rows: readonly ErrorRow[] = [files.errors, fileTasks.errors, commonErrors].flatMap(one => Object.values(one))

/** Why a task failed, in the language on screen: a task keeps the number and the server's own sentence only. */
export function taskErrorText({ code, message }: { code: number; message: string }): string {
  const row = rows.find(([number]) => number === code)
  const detail = row ? valuesIn(row[2], message) : {}
  return errorText(new CallError({ status: row?.[1] ?? 422, number: code, message, service: ns, detail }))
}

/** The values that a sentence was filled with. */
function valuesIn(sentence: string, filled: string): Record<string, string> {
  const literal = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const pattern = literal(sentence).replace(/\{(\w+)\}/g, '(?<$1>.+)')
  return { ...new RegExp(`^${pattern}$`).exec(filled)?.groups }
}

/** The file's kind, in words. */
export const kindOf = (file: Pick<FileView, 'bizTag'>) => i18next.getFixedT(null, ns)(`kinds.${file.bizTag}`)
