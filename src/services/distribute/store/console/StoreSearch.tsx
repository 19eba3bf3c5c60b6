import { useEffect, useEffectEvent, useState } from 'react'
import type { TableState } from '../../../../console/kit/table-state.ts'

const typingPauseMs = 300

interface StoreSearchProps {
  table: Pick<TableState, 'search' | 'setSearch'>
  label: string
  maxLength: number
}

/** Searches a list of the store once nothing was typed for a moment. */
export function StoreSearch({ table, label, maxLength }: StoreSearchProps) {
  const { search } = table
  const [typed, setTyped] = useState(search)
  const apply = useEffectEvent((text: string) => text !== search && table.setSearch(text))
  useEffect(() => {
    const timer = setTimeout(() => apply(typed.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search className="store-search">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={maxLength}
        onChange={event => setTyped(event.target.value)}
      />
    </search>
  )
}
