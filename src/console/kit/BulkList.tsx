import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import type { BulkState } from '../../kernel/bulk.ts'
import { toneOfBulk } from './bulk-words.ts'
import { DataTable } from './DataTable.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import type { ListResult } from './table-parts.ts'
import type { TableState } from './table-state.ts'
import { When } from './When.tsx'

interface BulkRow {
  bulkId: string
  state: BulkState
  total: number
  done: number
  refused: number
  createdBy: string | null
  createdAt: number
}

interface BulkListProps<Row extends BulkRow> {
  title: string
  table: TableState<never>
  result: ListResult<Row>
  /** What was done, in words. */
  nameOf: (row: Row) => string
  hrefOf: (row: Row) => string
  empty: { title: string; text: string }
}

/** Actions on many things, the newest first, each with how far it is. */
export function BulkList<Row extends BulkRow>({ title, table, result, nameOf, hrefOf, empty }: BulkListProps<Row>) {
  const { t } = useTranslation()
  return (
    <DataTable
      title={title}
      table={table}
      result={result}
      rowKey={row => row.bulkId}
      rowName={nameOf}
      empty={empty}
      columns={[
        {
          id: 'action',
          header: t('bulk.action'),
          isName: true,
          minWidth: 200,
          cell: row => <Link href={hrefOf(row)}>{`${nameOf(row)} (${row.total})`}</Link>,
        },
        {
          id: 'state',
          header: t('bulk.state'),
          cell: row => <StatusBadge tone={toneOfBulk[row.state]} text={t(`bulk.states.${row.state}`)} />,
        },
        { id: 'done', header: t('bulk.results.DONE'), cell: row => row.done },
        { id: 'refused', header: t('bulk.results.REFUSED'), cell: row => row.refused },
        { id: 'by', header: t('bulk.by'), cell: row => <span translate="no">{row.createdBy ?? '–'}</span> },
        { id: 'at', header: t('bulk.at'), cell: row => <When at={row.createdAt} /> },
      ]}
    />
  )
}
