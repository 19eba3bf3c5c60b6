import { createStore } from '../../../../../console/store.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'

/** A fetch of this visit. */
export interface Fetch {
  taskId: string
  teamId: string
  zone?: ZoneId
  name: string
}

/** Outside the pages, so that walking through the console does not lose them. */
export const fetches = createStore<readonly Fetch[]>([])
