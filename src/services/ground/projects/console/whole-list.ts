import type { CallError } from '../../../../console/call-error.ts'
import type { ListResult } from '../../../../console/kit/table-parts.ts'

interface Result<Row> {
  data: { list: Row[] } | undefined
  error: CallError | null
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** A list that comes in one page, as the table takes it. */
export function wholeList<Row>({ data, ...result }: Result<Row>): ListResult<Row> {
  return { ...result, data: data && { total: data.list.length, list: data.list, nextCursor: null } }
}
