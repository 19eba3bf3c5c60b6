import type { Rule } from '../../../../kernel/targeting/rule.ts'
import type { Template } from '../rules.ts'

/** What came out of a foreign file, and what of it could not be taken. */
export interface Imported {
  template: Template
  notMapped: { thing: 'condition' | 'value' | 'parameter' | 'field'; name: string; reason: string; source: string }[]
  /** `DRAWS_ANEW`: the share is the same, who is in it is not. `RENAMED`: it has a key that we take. */
  notes: { thing: 'condition' | 'parameter'; name: string; note: 'DRAWS_ANEW' | 'RENAMED' }[]
}

/** Holds for nobody: where a condition could not be taken its values stay in sight, and reach nobody. */
export const never: Rule = { op: 'not', args: [{ op: 'and', args: [] }] }

/** Thrown for a file that is not of the form it is said to be. */
export class Unreadable extends Error {}

export function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Unreadable(`${what} is no object`)
}

export const recordOf = (value: unknown): Record<string, unknown> =>
  value === undefined ? {} : objectOf(value, 'a part')
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
