import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableState } from './table-state.ts'

export interface TableFilter<Filter extends string> {
  id: Filter
  label: string
  options: readonly { value: string; label: string }[]
}

interface TableToolsProps<Filter extends string> {
  table: TableState<Filter>
  searchLabel: string | undefined
  filters: readonly TableFilter<Filter>[]
}

const typingPauseMs = 300

/** The search field and one select per filter; the address follows, the server filters. */
export function TableTools<Filter extends string>({ table, searchLabel, filters }: TableToolsProps<Filter>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(table.search)
  const { search } = table
  const apply = useEffectEvent((text: string) => text !== search && table.setSearch(text))

  useEffect(() => setTyped(search), [search])
  useEffect(() => {
    const timer = setTimeout(() => apply(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <div className="lg-table-tools">
      {searchLabel && (
        <TextFilter
          filteringText={typed}
          filteringPlaceholder={searchLabel}
          filteringAriaLabel={searchLabel}
          onChange={({ detail }) => setTyped(detail.filteringText)}
        />
      )}
      {filters.map(filter => {
        const all = { value: '', label: t('table.all') }
        const chosen = filter.options.find(option => option.value === table.filters[filter.id])
        return (
          <FormField key={filter.id} label={filter.label}>
            <Select
              selectedOption={chosen ?? all}
              options={[all, ...filter.options]}
              expandToViewport
              onChange={({ detail }) => table.setFilter(filter.id, detail.selectedOption.value || undefined)}
            />
          </FormField>
        )
      })}
    </div>
  )
}
