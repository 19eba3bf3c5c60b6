import { useCall } from '../../../../../console/use-call.ts'
import { manageApi } from '../function-calls.ts'

/** The copies of all versions that a qualifier leads to, as they really are, and what is set for them; both of the same moment, every two seconds. */
export const useCopies = (functionId: string, qualifier: string) =>
  useCall(manageApi.getVersionInstances, { query: { functionId, qualifier } }, { refetchInterval: 2_000, staleTime: 0 })
