import { useTranslation } from 'react-i18next'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { StoreNote } from '../StoreNote.tsx'
import { StorePager } from '../StorePager.tsx'
import { StoreSearch } from '../StoreSearch.tsx'
import { logApi } from '../store-calls.ts'

/** The lines themselves, the newest first. */
export function LogLines() {
  const { t } = useTranslation('distribute/store')
  const table = useTableState({ id: 'store-log' })
  const { search } = table
  const query = { ...table.page, order: 'newest' as const, ...(search && { packageName: search }) }
  const found = useCall(logApi.listLogEntries, { query }, { keepBefore: true })
  return (
    <section>
      <div className="store-head">
        <h2>{t('log.lines')}</h2>
        <StoreSearch table={table} label={t('log.search')} maxLength={255} />
      </div>
      {found.error && <StoreNote title={t('state.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.total === 0 && <StoreNote title={t(search ? 'table.noMatch' : 'log.empty')} />}
      <ol className="log-lines">
        {found.data?.list.map(line => (
          <li key={line.position}>
            <strong>
              {line.packageName} ({line.versionCode})
            </strong>
            <span className="store-soft">
              {t('log.line', { number: line.position })} · <When at={line.at} />
            </span>
            <span className="store-hash">{line.sha256}</span>
          </li>
        ))}
      </ol>
      <StorePager table={table} next={found.data?.nextCursor ?? null} />
    </section>
  )
}
