import { badField } from '../../../server/http/problem.ts'

/** A cursor that is the id of the row before. Refuses 400. */
export function cursorOf(cursor: string, part: 'query' | 'body' = 'query'): string {
  if (!/^[1-9]\d{0,17}$/.test(cursor)) throw badField('/cursor', 'format', 'is none of this list', part)
  return cursor
}
