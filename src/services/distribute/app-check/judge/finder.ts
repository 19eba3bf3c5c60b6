import type { Result } from '../rules.ts'
import type { Subject } from '../subject.ts'

/** What a rule found; without a result it passes. */
export interface Found {
  result?: Result
  evidence: readonly string[]
}

export type Finder = (subject: Subject) => Found

/** Nobody could look: the bytes are of another kind, or cannot be read. */
export const notRead: Found = { result: 'NOT_RUN', evidence: ['bytes'] }
