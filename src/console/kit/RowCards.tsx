import Spinner from '@cloudscape-design/components/spinner'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './table-parts.ts'

interface RowCardsProps<Row> {
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => string
  isLoading: boolean
  nothing: ReactNode
}

/** The rows of a table on a small screen: the name on top, the rest as pairs below. */
export function RowCards<Row>({ rows, columns, rowKey, isLoading, nothing }: RowCardsProps<Row>) {
  const { t } = useTranslation()
  if (isLoading) {
    return (
      <div role="status">
        <Spinner /> {t('state.loading')}
      </div>
    )
  }
  if (rows.length === 0) return nothing
  const name = columns.find(column => column.isName) ?? columns[0]
  const others = columns.filter(column => column !== name)
  return (
    <ul className="lg-cards">
      {rows.map(row => (
        <li key={rowKey(row)}>
          <div className="lg-card-title">{name?.cell(row)}</div>
          <dl>
            {others.map(column => (
              <div key={column.id} className="lg-card-pair">
                <dt>{column.header}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
