import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { type Language, languageNames } from '../../../../console/language.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { faces, otherName } from '../rules.ts'
import { api, numberText, pageTitle, type UseAsked } from './use-calls.ts'

interface UseSharesProps {
  asked: UseAsked
  zone: ZoneId
  by: 'page' | 'action' | 'language' | 'face' | 'sourceChannel'
}

const shown = 12

/** Events by one part of what is known: a bar and a number each, the largest first. */
export function UseShares({ asked, zone, by }: UseSharesProps) {
  const { t } = useTranslation('analyse/collect')
  const found = useCall(api.listUseShares, { query: { ...asked, by } }, { keepBefore: true, zone })
  const face = (key: string) => faces.find(one => one === key)
  const titleOf = (key: string) => {
    if ((by === 'page' || by === 'action') && key === otherName) return t('otherNames')
    if (by === 'page') return pageTitle(key)
    if (by === 'language') return languageNames[key as Language]
    const known = by === 'face' ? face(key) : undefined
    return known && t(`faces.${known}`)
  }
  const rows = (found.data?.list ?? []).slice(0, shown).map(({ key, views, clicks, visitors }) => ({
    key,
    title: titleOf(key),
    count: by === 'action' ? clicks : by === 'page' ? views : views + clicks,
    visitors,
  }))
  const most = Math.max(...rows.map(row => row.count), 1)
  return (
    <Container fitHeight header={<Header variant="h2">{t(`by.${by}`)}</Header>}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.data && rows.length === 0 && <p className="lg-soft">{t(`none.${by}`)}</p>}
      <ul className="use-bars">
        {rows.map(row => (
          <li key={row.key}>
            <span>
              {row.title}
              {(row.title === undefined || (by === 'page' && row.key !== otherName)) && (
                <code translate="no">{row.key}</code>
              )}
            </span>
            <span className="use-numbers">
              <strong>{numberText(row.count)}</strong>
              <small>{t('people', { count: row.visitors, shown: numberText(row.visitors) })}</small>
            </span>
            <span className="use-bar" style={{ inlineSize: `${(row.count / most) * 100}%` }} aria-hidden />
          </li>
        ))}
      </ul>
    </Container>
  )
}
