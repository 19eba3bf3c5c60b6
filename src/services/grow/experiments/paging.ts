/** A text anywhere in another, as ILIKE wants it. */
export const like = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`

/** A page of what is in memory; the cursor is the place where the next one begins. */
export function pageIn<T>(list: readonly T[], { cursor, pageSize = 20 }: { cursor?: string; pageSize?: number }) {
  const from = /^\d{1,6}$/.test(cursor ?? '') ? Number(cursor) : 0
  const next = from + pageSize
  return { total: list.length, list: list.slice(from, next), nextCursor: next < list.length ? String(next) : null }
}
