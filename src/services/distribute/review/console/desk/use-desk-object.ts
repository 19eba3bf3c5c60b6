import { useCall } from '../../../../../console/use-call.ts'
import { desk } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

const addressLifeMs = 45 * 60_000

/** An address to read a file of the submitting team from. All of a task come with one call, asked again before they end. */
export function useDeskObject(taskId: string, objectId: string) {
  const { at } = useDeskZone()
  const found = useCall(
    desk.listTaskObjects,
    { query: { taskId } },
    { ...at, staleTime: addressLifeMs, refetchInterval: addressLifeMs, refetchOnWindowFocus: false },
  )
  return found.data?.list.find(one => one.objectId === objectId)
}
