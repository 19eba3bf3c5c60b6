import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BarList } from '../../../../../console/kit/BarList.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { serverNow } from '../../../../../console/server-clock.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, rulesLocale, type Where } from '../rules-calls.ts'
import { DecisionsChart } from './DecisionsChart.tsx'

const periods = { 1: 60_000, 24: 30 * 60_000, 168: 3 * 3_600_000 } as const
type Hours = keyof typeof periods
const hourMs = 3_600_000

/** How often rules allowed and denied, which statements do the work, and what is denied most. */
export function MonitorTab({ where }: { where: Where }) {
  const { t } = useTranslation('build/rules')
  const [hours, setHours] = useState<Hours>(24)
  // Whole minutes, so that looking again within one is the same question.
  const to = Math.ceil(serverNow() / 60_000) * 60_000
  const query = { ...where, from: to - hours * hourMs, to, step: periods[hours] / 60_000 }
  const { data, error, refetch } = useCall(api.getMonitor, { query }, { keepBefore: true, refetchInterval: 60_000 })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const locale = rulesLocale()
  return (
    <SpaceBetween size="l">
      <SegmentedControl
        label={t('monitor.period')}
        selectedId={String(hours)}
        options={Object.keys(periods).map(id => ({ id, text: t(`monitor.periods.${id as '1' | '24' | '168'}`) }))}
        onChange={({ detail }) => setHours(Number(detail.selectedId) as Hours)}
      />
      <DecisionsChart data={data} hours={hours} />
      <Container header={<Header variant="h2">{t('monitor.statements')}</Header>}>
        {data.statements.length === 0 ? (
          <EmptyState title={t('monitor.noStatements')} />
        ) : (
          <table className="rules-counters">
            <thead>
              <tr>
                <th scope="col">{t('monitor.line')}</th>
                <th scope="col">{t('monitor.evaluated')}</th>
                <th scope="col">{t('monitor.granted')}</th>
                <th scope="col">{t('monitor.errors')}</th>
              </tr>
            </thead>
            <tbody>
              {data.statements.map(one => (
                <tr key={`${one.line}:${one.col}`}>
                  <th scope="row">{t('line', { line: one.line })}</th>
                  <td>{one.evaluated.toLocaleString(locale)}</td>
                  <td>{one.granted.toLocaleString(locale)}</td>
                  <td>{one.errors.toLocaleString(locale)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Container>
      <div className="rules-tops">
        <Container header={<Header variant="h2">{t('monitor.paths')}</Header>}>
          {data.topPaths.length === 0 ? (
            <EmptyState title={t('monitor.noDenied')} />
          ) : (
            <BarList
              label={t('monitor.paths')}
              language={locale}
              bars={data.topPaths.map(one => ({
                id: `${one.method} ${one.path}`,
                label: `${one.method} ${one.path}`,
                value: one.denied,
              }))}
            />
          )}
        </Container>
        <Container header={<Header variant="h2">{t('monitor.users')}</Header>}>
          {data.topUsers.length === 0 ? (
            <EmptyState title={t('monitor.noDenied')} />
          ) : (
            <BarList
              label={t('monitor.users')}
              language={locale}
              bars={data.topUsers.map(one => ({ id: one.uid ?? '', label: one.uid ?? t('nobody'), value: one.denied }))}
            />
          )}
        </Container>
      </div>
    </SpaceBetween>
  )
}
