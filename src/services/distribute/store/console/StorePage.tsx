import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AppCard } from './AppCard.tsx'
import { RepositoryPanel } from './RepositoryPanel.tsx'
import { StoreFrame } from './StoreFrame.tsx'
import { StoreNote } from './StoreNote.tsx'
import { api, storeLanguage } from './store-calls.ts'

const typingPauseMs = 300

/** What devices can get here, the newest first. */
export default function StorePage() {
  const { t } = useTranslation('distribute/store')
  const table = useTableState({ id: 'store' })
  const { search } = table
  const [typed, setTyped] = useState(search)
  const apply = useEffectEvent((text: string) => text !== search && table.setSearch(text))
  useEffect(() => {
    const timer = setTimeout(() => apply(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useCall(
    api.listApps,
    { query: { ...table.page, lang: storeLanguage(), ...(search && { search }) } },
    { keepBefore: true },
  )
  const next = found.data?.nextCursor ?? null
  return (
    <StoreFrame>
      <div className="store-head">
        <div>
          <h1>{t('store.title')}</h1>
          <p className="store-lead">{t('store.lead')}</p>
        </div>
        <search className="store-search">
          <input
            type="search"
            aria-label={t('store.search')}
            placeholder={t('store.search')}
            value={typed}
            maxLength={100}
            onChange={event => setTyped(event.target.value)}
          />
        </search>
      </div>
      {found.error && <StoreNote title={t('state.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StoreNote title={t('state.loading')} />}
      {found.data?.total === 0 &&
        (search ? (
          <StoreNote title={t('table.noMatch')} text={t('store.noMatch', { search })} />
        ) : (
          <StoreNote title={t('store.empty')} text={t('store.emptyText')} />
        ))}
      <ul className="store-grid">
        {found.data?.list.map(app => (
          <li key={app.packageName}>
            <AppCard app={app} />
          </li>
        ))}
      </ul>
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
      <RepositoryPanel />
    </StoreFrame>
  )
}
