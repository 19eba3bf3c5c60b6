import Checkbox from '@cloudscape-design/components/checkbox'
import Spinner from '@cloudscape-design/components/spinner'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableColumn, TableSelection } from './table-parts.ts'

interface RowCardsProps<Row> {
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => string
  isLoading: boolean
  nothing: ReactNode
  /** With it every card has a box to tick, named after its row. */
  selection?: TableSelection<Row>
  rowName?: (row: Row) => string
}

/** The rows of a table on a small screen: the name on top, the rest as pairs below. */
export function RowCards<Row>(props: RowCardsProps<Row>) {
  const { rows, columns, rowKey, isLoading, nothing, selection, rowName = rowKey } = props
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
  const chosen = new Set(selection?.rows.map(rowKey))
  const isEach = rows.every(row => chosen.has(rowKey(row)))
  const tick = (ticked: readonly Row[], isChosen: boolean) => {
    const keys = new Set(ticked.map(rowKey))
    const kept = selection?.type === 'multi' ? selection.rows.filter(row => !keys.has(rowKey(row))) : []
    selection?.onChange(isChosen ? [...kept, ...ticked] : kept)
  }
  return (
    <ul className="lg-cards">
      {selection?.type === 'multi' && (
        <li className="lg-card-all">
          <Checkbox
            checked={isEach}
            indeterminate={!isEach && chosen.size > 0}
            onChange={({ detail }) => tick(rows, detail.checked)}
          >
            {t('table.selectAll')}
          </Checkbox>
        </li>
      )}
      {rows.map(row => (
        <li key={rowKey(row)}>
          <div className="lg-card-title">
            {selection && (
              <Checkbox
                checked={chosen.has(rowKey(row))}
                ariaLabel={t('table.selectRow', { name: rowName(row) })}
                onChange={({ detail }) => tick([row], detail.checked)}
              />
            )}
            <div>{name?.cell(row)}</div>
          </div>
          <dl>
            {others.map(column => {
              const cell = column.cell(row)
              // What a row has none of takes no line of its card.
              if (cell === null || cell === undefined || cell === false) return null
              return (
                <div key={column.id} className="lg-card-pair">
                  <dt>{column.header}</dt>
                  <dd>{cell}</dd>
                </div>
              )
            })}
          </dl>
        </li>
      ))}
    </ul>
  )
}
