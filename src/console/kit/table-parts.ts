import type { ReactNode } from 'react'
import type { CallError } from '../call-error.ts'

export interface TableColumn<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The name the call sorts by; left out, the column does not sort. */
  sortBy?: string
  width?: number
  minWidth?: number
  /** The column that names the row: the card's title on a small screen. Exactly one. */
  isName?: boolean
}

/** What `useCall` of a list gives. */
export interface ListResult<Row> {
  data: { total: number; list: Row[]; nextCursor: string | null } | undefined
  error: CallError | null
  isPending: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** The rows that people have ticked, for an action on them. */
export interface TableSelection<Row> {
  type: 'single' | 'multi'
  rows: Row[]
  onChange: (rows: Row[]) => void
}
