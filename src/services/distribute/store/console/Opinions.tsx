import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { StoreNote } from './StoreNote.tsx'
import { opinionsApi, storeLanguage } from './store-calls.ts'

const orders = ['newest', 'helpful', 'starsHigh', 'starsLow'] as const
type Order = (typeof orders)[number]
const most = 5

/** What people say of an app: stars in numbers, and words as plain text. */
export function Opinions({ packageName }: { packageName: string }) {
  const { t } = useTranslation('distribute/store')
  const [sort, setSort] = useState<Order>('newest')
  const [cursors, setCursors] = useState<readonly string[]>([])
  const params = { packageName }
  const summary = useCall(opinionsApi.getSummary, { params }).data
  const cursor = cursors.at(-1)
  const query = { sort, pageSize: most, ...(cursor !== undefined && { cursor }) }
  const found = useCall(opinionsApi.listComments, { params, query }, { keepBefore: true })
  if (found.error) {
    return <StoreNote title={t('state.failed')} error={found.error} onRetry={() => void found.refetch()} />
  }
  if (!summary || !found.data) return null
  const { list, nextCursor, total } = found.data
  return (
    <section>
      <h2>{t('opinions.title')}</h2>
      {summary.display === null ? (
        <p className="store-soft">{t('opinions.none')}</p>
      ) : (
        <p className="store-score">
          <strong>{summary.display.toLocaleString(storeLanguage())}</strong>
          <StoreStars value={Math.round(summary.display)} />
          <span className="store-soft">{t('opinions.count', { count: summary.count })}</span>
        </p>
      )}
      {total > 1 && (
        <label className="store-order">
          <span className="store-soft">{t('opinions.order')}</span>{' '}
          <select
            value={sort}
            onChange={event => {
              setSort(event.target.value as Order)
              setCursors([])
            }}
          >
            {orders.map(value => (
              <option key={value} value={value}>
                {t(`opinions.orders.${value}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <ul className="store-opinions">
        {list.map(one => (
          <li key={one.commentId} translate="no" lang={one.language ?? undefined}>
            <p className="store-score">
              <StoreStars value={one.stars} />
              <strong>{one.nickname || t('opinions.nobody')}</strong>
              <span className="store-soft">
                <When at={one.createdAt} /> · {one.versionName}
              </span>
            </p>
            {one.title && <h3>{one.title}</h3>}
            <p className="store-said">{one.text}</p>
            {one.helpful > 0 && <span className="store-soft">{t('opinions.helpful', { count: one.helpful })}</span>}
            {one.reply && (
              <div className="store-reply">
                <strong>{t('opinions.reply')}</strong>
                <p className="store-said">{one.reply.text}</p>
              </div>
            )}
          </li>
        ))}
      </ul>
      {(nextCursor !== null || cursors.length > 0) && (
        <p className="store-score">
          {cursors.length > 0 && (
            <button type="button" className="store-more" onClick={() => setCursors(cursors.slice(0, -1))}>
              {t('opinions.back')}
            </button>
          )}
          {nextCursor !== null && (
            <button type="button" className="store-more" onClick={() => setCursors([...cursors, nextCursor])}>
              {t('opinions.more')}
            </button>
          )}
        </p>
      )}
    </section>
  )
}

function StoreStars({ value }: { value: number }) {
  const { t } = useTranslation('distribute/store')
  return (
    <span className="store-stars" role="img" aria-label={t('opinions.stars', { count: value })}>
      {'★'.repeat(value)}
      <span>{'★'.repeat(5 - value)}</span>
    </span>
  )
}
