import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { StoreNote } from '../StoreNote.tsx'
import { logApi } from '../store-calls.ts'

const typingPauseMs = 300

/** The lines themselves, the newest first. */
export function LogLines() {
  const { t } = useTranslation('distribute/store')
  const table = useTableState({ id: 'store-log' })
  const { search } = table
  const [typed, setTyped] = useState(search)
  const apply = useEffectEvent((text: string) => text !== search && table.setSearch(text))
  useEffect(() => {
    const timer = setTimeout(() => apply(typed.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const query = { ...table.page, order: 'newest' as const, ...(search && { packageName: search }) }
  const found = useCall(logApi.listLogEntries, { query }, { keepBefore: true })
  const next = found.data?.nextCursor ?? null
  return (
    <section>
      <div className="store-head">
        <h2>{t('log.lines')}</h2>
        <search className="store-search">
          <input
            type="search"
            aria-label={t('log.search')}
            placeholder={t('log.search')}
            value={typed}
            maxLength={255}
            onChange={event => setTyped(event.target.value)}
          />
        </search>
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
      {(next !== null || table.pageNumber > 1) && (
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
      )}
    </section>
  )
}
