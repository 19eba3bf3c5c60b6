import { useTranslation } from 'react-i18next'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import { AppCard } from './AppCard.tsx'
import { RepositoryPanel } from './RepositoryPanel.tsx'
import { StoreFrame } from './StoreFrame.tsx'
import { StoreNote } from './StoreNote.tsx'
import { StorePager } from './StorePager.tsx'
import { StoreSearch } from './StoreSearch.tsx'
import { api, storeLanguage } from './store-calls.ts'

/** What devices can get here, the newest first. */
export default function StorePage() {
  const { t } = useTranslation('distribute/store')
  const table = useTableState({ id: 'store' })
  const { search } = table
  const found = useCall(
    api.listApps,
    { query: { ...table.page, lang: storeLanguage(), ...(search && { search }) } },
    { keepBefore: true },
  )
  return (
    <StoreFrame>
      <div className="store-head">
        <div>
          <h1>{t('store.title')}</h1>
          <p className="store-lead">{t('store.lead')}</p>
        </div>
        <StoreSearch table={table} label={t('store.search')} maxLength={100} />
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
      <StorePager table={table} next={found.data?.nextCursor ?? null} />
      <RepositoryPanel />
    </StoreFrame>
  )
}
