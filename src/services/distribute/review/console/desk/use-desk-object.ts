import { useCall } from '../../../../../console/use-call.ts'
import { desk } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

const addressLifeMs = 45 * 60_000

/** An address to read a file of the submitting team from; asked for again before it ends. */
export function useDeskObject(taskId: string, objectId: string) {
  const { at } = useDeskZone()
  return useCall(
    desk.getTaskObject,
    { query: { taskId, objectId } },
    { ...at, staleTime: addressLifeMs, refetchInterval: addressLifeMs, refetchOnWindowFocus: false },
  ).data
}
