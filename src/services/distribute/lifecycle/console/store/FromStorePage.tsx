import { shownLanguage } from '../../../../../console/shown.ts'
import '../lifecycle.css'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ActivityState } from '../../rules.ts'
import { api, type KeptView } from '../lifecycle-calls.ts'

const tabs = ['activities', 'demos', 'copyright'] as const
const readTab = (raw: Record<string, unknown>) => ({
  tab: tabs.find(tab => tab === raw['tab']) ?? ('activities' as const),
})
const tones: Record<ActivityState, Tone> = { COMING: 'waiting', RUNNING: 'running', OVER: 'stopped' }
const whole = { query: { pageSize: 100 } }

/** What the store keeps for developers: crowd tests, demos, which papers of copyright it asks for. */
export default function FromStorePage() {
  const { t } = useTranslation('distribute/lifecycle')
  const [{ tab }, change] = usePageSearch(readTab)
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('store.title')} description={t('store.text')} />
      <SegmentedControl
        label={t('store.title')}
        selectedId={tab}
        options={tabs.map(id => ({ id, text: t(`store.tabs.${id}`) }))}
        onChange={({ detail }) => change({ tab: detail.selectedId as typeof tab })}
      />
      {tab === 'activities' && <Activities />}
      {tab === 'demos' && <Demos />}
      {tab === 'copyright' && <Copyright />}
    </SpaceBetween>
  )
}

function Activities() {
  const found = useCall(api.listActivities, whole)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return found.data ? <Cards rows={found.data.list} stateOf={row => row.state} /> : <PendingPage />
}

function Demos() {
  const found = useCall(api.listDemos, whole)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return found.data ? <Cards rows={found.data.list} /> : <PendingPage />
}

function Copyright() {
  const found = useCall(api.queryCopyrightRules, { body: {} })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return found.data ? <Cards rows={found.data.list} /> : <PendingPage />
}

function Cards<Row extends KeptView>({
  rows,
  stateOf,
}: {
  rows: readonly Row[]
  stateOf?: (row: Row) => ActivityState
}) {
  const { t } = useTranslation('distribute/lifecycle')
  if (rows.length === 0) return <EmptyState title={t('store.none')} text={t('store.noneText')} />
  return (
    <ul className="lifecycle-cards">
      {rows.map(row => {
        const state = stateOf?.(row)
        return (
          <li key={row.rowId}>
            <h3>{row.titles[shownLanguage()]}</h3>
            {state && <StatusBadge tone={tones[state]} text={t(`activities.${state}`)} />}
            {row.startAt !== null && (
              <span className="lg-soft">
                <When at={row.startAt} />{' '}
                {row.endAt !== null && (
                  <>
                    – <When at={row.endAt} />
                  </>
                )}
              </span>
            )}
            <p>{row.texts[shownLanguage()]}</p>
            {row.countries.length > 0 && <span className="lg-soft">{row.countries.join(', ')}</span>}
            {row.link && <OutsideLink href={row.link} />}
          </li>
        )
      })}
    </ul>
  )
}
