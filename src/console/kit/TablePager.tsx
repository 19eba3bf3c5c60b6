import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import type { ListResult } from './table-parts.ts'
import type { TableState } from './table-state.ts'

interface TablePagerProps<Row> {
  table: TableState<never> | TableState
  result: ListResult<Row>
}

/** Back and next, for a server that pages by cursor; says which rows of how many these are. */
export function TablePager<Row>({ table, result }: TablePagerProps<Row>) {
  const { t } = useTranslation()
  const { data } = result
  if (!data || data.list.length === 0) return null
  const first = (table.pageNumber - 1) * table.page.pageSize + 1
  const { nextCursor } = data
  if (table.pageNumber === 1 && nextCursor === null) return null
  return (
    <nav className="lg-pager" aria-label={t('table.pages')}>
      <Button
        variant="icon"
        iconName="angle-left"
        ariaLabel={t('table.back')}
        disabled={table.pageNumber === 1}
        onClick={table.goBack}
      />
      <span>{t('table.range', { first, last: first + data.list.length - 1, total: data.total })}</span>
      <Button
        variant="icon"
        iconName="angle-right"
        ariaLabel={t('table.next')}
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && table.goNext(nextCursor)}
      />
    </nav>
  )
}
