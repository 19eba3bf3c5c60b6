/** A page of what is in memory. The cursor names the last thing seen, so that what comes before it may change. */
export function pageIn<T>(
  list: readonly T[],
  query: { cursor?: string; pageSize?: number },
  nameOf: (one: T) => string,
): { total: number; list: T[]; nextCursor: string | null } {
  const pageSize = query.pageSize ?? 20
  const from = query.cursor === undefined ? 0 : startOf(list, query.cursor, nameOf)
  const page = list.slice(from, from + pageSize)
  const isMore = from + pageSize < list.length
  return { total: list.length, list: page, nextCursor: isMore ? cursorOf(from + pageSize, page.at(-1), nameOf) : null }
}

const cursorOf = <T>(at: number, last: T | undefined, nameOf: (one: T) => string) =>
  `${at}.${last === undefined ? '' : Buffer.from(nameOf(last)).toString('base64url').slice(0, 180)}`

function startOf<T>(list: readonly T[], cursor: string, nameOf: (one: T) => string): number {
  const [at = '', name = ''] = cursor.split('.')
  const place = Number(at)
  if (!/^\d{1,9}$/.test(at)) return 0
  const isLast = (one: T | undefined) => one !== undefined && cursorOf(place, one, nameOf) === cursor
  if (name === '' || isLast(list[place - 1])) return place
  const found = list.findIndex(isLast)
  return found === -1 ? place : found + 1
}
