import type { Implementation } from './implement.ts'
import type { Work } from './work.ts'

/** What the server mounts of one service, as its `service.ts` says: its calls, and the work it does by itself. */
export interface Service {
  calls: readonly Implementation[]
  work?: Work
}
