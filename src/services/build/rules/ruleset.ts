import type { RuledService } from './engine-types.ts'
import type { Program } from './language/compiled.ts'

/** Rules that were published, compiled once and kept. */
export interface Ruleset {
  service: RuledService
  /** Increases with each publish of the project's service. */
  version: number
  program: Program
  /** Decisions since they were last written. */
  counts: { allowed: number; denied: number; errors: number; isWaiting: boolean }
}
