/** What a query may be asked with, by the name that stands after `$` in its SQL. Whole numbers are BIGINT, others DOUBLE. */
export type Parameter = string | number | boolean | null | readonly string[] | readonly number[]

/** One query, or its end before its time. One line of JSON each. */
export type Order =
  | {
      id: number
      sql: string
      parameters: Record<string, Parameter>
      /** Paths that the query may read; in the SQL they are `$files`. */
      files: readonly string[]
      /** A path that it may read besides. */
      given?: string
      /** A path that it may write. */
      out?: string
      memoryMb: number
      temporary: string
    }
  | { id: number; cancel: true }

export type Row = Record<string, unknown>

export type FailureKind = 'missing' | 'refused' | 'memory' | 'tooMany' | 'cancelled' | 'crashed' | 'late'

export type Report = { id: number; rows: Row[] } | { id: number; failure: FailureKind; message: string }

/** An answer is read as a whole: what is larger is a mistake of the query. */
export const mostRows = 100_000
