import type { CallError } from '../call-error.ts'
import type { ListResult } from './table-parts.ts'

interface Result<Row> {
  data: { list: Row[] } | undefined
  error: CallError | null
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** A list that comes in one page, as the table takes it: all of it, or what is shown of it. */
export function wholeList<Row>(
  { data, ...result }: Result<Row>,
  isShown: (row: Row) => boolean = () => true,
): ListResult<Row> {
  const list = data?.list.filter(isShown) ?? []
  return { ...result, data: data && { total: list.length, list, nextCursor: null } }
}
