import { useTranslation } from 'react-i18next'
import type { TableState } from '../../../../console/kit/table-state.ts'

interface StorePagerProps {
  table: Pick<TableState, 'pageNumber' | 'goBack' | 'goNext'>
  next: string | null
}

/** Back and next of a list of the store; nothing where it has one page. */
export function StorePager({ table, next }: StorePagerProps) {
  const { t } = useTranslation('distribute/store')
  if (next === null && table.pageNumber === 1) return null
  return (
    <nav className="store-pager" aria-label={t('table.pages')}>
      <button type="button" className="store-button" disabled={table.pageNumber === 1} onClick={table.goBack}>
        {t('table.back')}
      </button>
      <button
        type="button"
        className="store-button"
        disabled={next === null}
        onClick={() => next !== null && table.goNext(next)}
      >
        {t('table.next')}
      </button>
    </nav>
  )
}
