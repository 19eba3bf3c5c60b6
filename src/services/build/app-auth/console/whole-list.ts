import type { UseQueryResult } from '@tanstack/react-query'
import type { CallError } from '../../../../console/call-error.ts'
import type { ListResult } from '../../../../console/kit/table-parts.ts'

/** A list that comes whole, as the table of the kit takes it. */
export function wholeList<Row>(found: UseQueryResult<{ list: Row[] }, CallError>): ListResult<Row> {
  const { error, isPending, isFetching, refetch } = found
  const list = found.data?.list
  return { error, isPending, isFetching, refetch, data: list && { total: list.length, list, nextCursor: null } }
}
