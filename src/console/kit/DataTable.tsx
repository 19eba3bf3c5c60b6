import './kit.css'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../shell/use-is-narrow.ts'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { RowCards } from './RowCards.tsx'
import { TablePager } from './TablePager.tsx'
import { TableSettings } from './TableSettings.tsx'
import { type TableFilter, TableTools } from './TableTools.tsx'
import type { ListResult, TableColumn, TableSelection } from './table-parts.ts'
import type { TableState } from './table-state.ts'

export interface DataTableProps<Row, Filter extends string> {
  title: string
  table: TableState<Filter>
  result: ListResult<Row>
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => string
  /** The row's name for a screen reader. */
  rowName: (row: Row) => string
  /** Says what may be searched: "Name or package". Left out, there is no search field. */
  searchLabel?: string
  filters?: readonly TableFilter<Filter>[]
  /** Shown when there is nothing at all yet. */
  empty: { title: string; text?: string; action?: ReactNode }
  actions?: ReactNode
  selection?: TableSelection<Row>
}

/** A list of the server: paged, filtered and sorted there, with every state it can be in; cards on a small screen. */
export function DataTable<Row, Filter extends string = never>(props: DataTableProps<Row, Filter>) {
  const { title, table, result, columns, rowKey, rowName, searchLabel, filters = [], empty, actions, selection } = props
  const { t } = useTranslation()
  const isNarrow = useIsNarrow()
  const rows = result.data?.list ?? []
  const shown = columns.filter(column => column.isName || !table.preferences.hidden.includes(column.id))
  const hasTools = searchLabel !== undefined || filters.length > 0
  const retry = () => void result.refetch()

  const nothing = result.error ? (
    <ErrorState error={result.error} onRetry={retry} />
  ) : table.isFiltered ? (
    <EmptyState
      title={t('table.noMatch')}
      text={t('table.noMatchText')}
      action={<Button onClick={table.clear}>{t('table.clear')}</Button>}
    />
  ) : (
    <EmptyState {...empty} />
  )
  const isChoosing = isNarrow && selection !== undefined && selection.rows.length > 0
  const header = (
    <Header
      variant="h2"
      counter={result.data ? `(${result.data.total})` : ''}
      actions={
        <div className="lg-actions">
          <Button
            iconName="refresh"
            ariaLabel={t('table.refresh')}
            loading={result.isFetching && !result.isPending}
            onClick={retry}
          />
          {!isChoosing && actions}
        </div>
      }
    >
      {title}
    </Header>
  )
  const tools = hasTools && <TableTools table={table} searchLabel={searchLabel} filters={filters} />
  const pager = <TablePager table={table} result={result} />

  if (isNarrow) {
    return (
      <SpaceBetween size="m">
        {header}
        {tools}
        <div>
          <RowCards
            rows={rows}
            columns={shown}
            rowKey={rowKey}
            rowName={rowName}
            isLoading={result.isPending}
            nothing={nothing}
            {...(selection && { selection })}
          />
          {isChoosing && actions && <div className="lg-actions lg-chosen">{actions}</div>}
        </div>
        {pager}
      </SpaceBetween>
    )
  }
  const definitions = shown.map(column => ({
    id: column.id,
    header: column.header,
    cell: column.cell,
    ...(column.sortBy !== undefined && { sortingField: column.sortBy }),
    ...(column.width !== undefined && { width: column.width }),
    minWidth: column.minWidth ?? 90,
    isRowHeader: column.isName ?? false,
  })) satisfies TableProps.ColumnDefinition<Row>[]
  const sorted = table.sort && definitions.find(column => column.sortingField === table.sort?.by)
  return (
    <Table<Row>
      items={result.error ? [] : rows}
      columnDefinitions={definitions}
      trackBy={rowKey}
      header={header}
      filter={tools || undefined}
      pagination={pager}
      preferences={<TableSettings table={table} columns={columns} />}
      loading={result.isPending}
      loadingText={t('state.loading')}
      empty={nothing}
      resizableColumns
      stickyHeader
      wrapLines={table.preferences.isWrapped}
      contentDensity={table.preferences.isCompact ? 'compact' : 'comfortable'}
      sortingDescending={table.sort?.isDescending ?? false}
      {...(sorted && { sortingColumn: sorted })}
      onSortingChange={({ detail }) =>
        detail.sortingColumn.sortingField && table.setSort(detail.sortingColumn.sortingField, !!detail.isDescending)
      }
      {...(selection && {
        selectionType: selection.type,
        selectedItems: selection.rows,
        onSelectionChange: ({ detail }) => selection.onChange([...detail.selectedItems]),
      })}
      ariaLabels={{
        tableLabel: title,
        selectionGroupLabel: t('table.select'),
        allItemsSelectionLabel: () => t('table.selectAll'),
        itemSelectionLabel: (_state, row) => t('table.selectRow', { name: rowName(row) }),
      }}
    />
  )
}
