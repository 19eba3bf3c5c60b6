import { useRef, useState } from 'react'
import { usePageSearch } from '../page-search.ts'

export interface TableOptions<Filter extends string> {
  /** Names the kept preferences; unique over the console. */
  id: string
  sort?: { by: string; isDescending: boolean }
  filters?: readonly Filter[]
}

export interface TablePreferences {
  pageSize: number
  hidden: readonly string[]
  isWrapped: boolean
  isCompact: boolean
}

export interface TableState<Filter extends string = string> {
  id: string
  /** Spread into the call's query. */
  page: { cursor?: string; pageSize: number }
  pageNumber: number
  search: string
  filters: Partial<Record<Filter, string>>
  sort: { by: string; isDescending: boolean } | undefined
  isFiltered: boolean
  setSearch: (text: string) => void
  setFilter: (filter: Filter, value: string | undefined) => void
  setSort: (by: string, isDescending: boolean) => void
  goNext: (cursor: string) => void
  goBack: () => void
  clear: () => void
  preferences: TablePreferences
  setPreferences: (next: TablePreferences) => void
}

type Raw = Record<string, string | undefined>

const firstPage = { cursor: undefined, page: undefined }
const standard: TablePreferences = { pageSize: 20, hidden: [], isWrapped: false, isCompact: false }

function keptPreferences(id: string): TablePreferences {
  try {
    return { ...standard, ...JSON.parse(localStorage.getItem(`loggia.table.${id}`) ?? '{}') }
  } catch {
    return standard
  }
}

function readSort(raw: string | undefined, usual: TableOptions<string>['sort']): TableState['sort'] {
  if (!raw) return usual
  return raw.startsWith('-') ? { by: raw.slice(1), isDescending: true } : { by: raw, isDescending: false }
}

/**
 * What a list shows, kept in the address (`q`, `sort`, `page`, `cursor` and one value per filter), so that it survives
 * reload, back and a copied link. Give `page`, `search`, `filters` and `sort` to the call, the whole to `DataTable`.
 */
export function useTableState<Filter extends string = never>(options: TableOptions<Filter>): TableState<Filter> {
  const [raw, change] = usePageSearch<Raw>(given => given as Raw)
  const [preferences, keep] = useState(() => keptPreferences(options.id))
  const cursors = useRef(new Map<number, string | undefined>())
  const pageNumber = Math.max(1, Number(raw['page'] ?? 1) || 1)
  const names = options.filters ?? []
  const filters = Object.fromEntries(names.map(name => [name, raw[name]]).filter(([, value]) => value)) as Partial<
    Record<Filter, string>
  >
  const search = raw['q'] ?? ''
  const cursor = raw['cursor']
  cursors.current.set(pageNumber, cursor)

  return {
    id: options.id,
    page: { pageSize: preferences.pageSize, ...(cursor && { cursor }) },
    pageNumber,
    search,
    filters,
    sort: readSort(raw['sort'], options.sort),
    isFiltered: search !== '' || Object.keys(filters).length > 0,
    setSearch: text => change({ ...firstPage, q: text || undefined }, { replace: true }),
    setFilter: (filter, value) => change({ ...firstPage, [filter]: value } as Partial<Raw>),
    setSort: (by, isDescending) => change({ ...firstPage, sort: isDescending ? `-${by}` : by }),
    goNext: next => change({ cursor: next, page: String(pageNumber + 1) }),
    goBack: () => {
      const before = cursors.current.get(pageNumber - 1)
      change(before ? { cursor: before, page: String(pageNumber - 1) } : firstPage)
    },
    clear: () => change({ ...firstPage, q: undefined, ...Object.fromEntries(names.map(name => [name, undefined])) }),
    preferences,
    setPreferences: next => {
      localStorage.setItem(`loggia.table.${options.id}`, JSON.stringify(next))
      if (next.pageSize !== preferences.pageSize) change(firstPage, { replace: true })
      keep(next)
    },
  }
}
