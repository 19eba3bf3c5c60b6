import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import { useTranslation } from 'react-i18next'
import { BarList } from '../../../../console/kit/BarList.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { type Summary, usersApi } from './auth-calls.ts'
import { providerText } from './providers.ts'

const colours = { made: '#688ae8', active: '#2ea597' } as const

/** How many users there are, came and were active. */
export function OverviewTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/app-auth')
  const found = useCall(usersApi.getUserSummary, { query: { projectId, days: 30 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) {
    return (
      <Box textAlign="center">
        <Spinner />
      </Box>
    )
  }
  const { data } = found
  const language = i18n.resolvedLanguage ?? 'en'
  const bars = data.byProvider
    .filter(one => one.users > 0)
    .map(one => ({ id: String(one.provider), label: providerText(t, one.provider), value: one.users }))
  return (
    <SpaceBetween size="l">
      <dl className="auth-tiles">
        {(['total', 'newToday', 'dau', 'mau', 'anonymous', 'disabled'] as const).map(name => (
          <div key={name}>
            <dt>{t(`tiles.${name}`)}</dt>
            <dd>{data[name].toLocaleString(language)}</dd>
          </div>
        ))}
      </dl>
      <ColumnLayout columns={2}>
        <DayChart summary={data} part="made" language={language} />
        <DayChart summary={data} part="active" language={language} />
      </ColumnLayout>
      <Container header={<Header variant="h2">{t('byProvider')}</Header>}>
        {bars.length === 0 ? (
          <Box color="text-body-secondary">{t('users.emptyText')}</Box>
        ) : (
          <BarList label={t('byProvider')} bars={bars} language={language} />
        )}
      </Container>
    </SpaceBetween>
  )
}

function DayChart({ summary, part, language }: { summary: Summary; part: 'made' | 'active'; language: string }) {
  const { t } = useTranslation('build/app-auth')
  const days = summary.byDay
  const top = Math.max(4, ...days.map(one => one[part]))
  const dayText = (day: string) =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString(language, { month: 'short', day: 'numeric' })
  return (
    <Container header={<Header variant="h2">{t(`charts.${part}`)}</Header>}>
      <MixedLineBarChart
        hideFilter
        hideLegend
        height={180}
        xScaleType="categorical"
        xDomain={days.map(one => one.date)}
        yDomain={[0, top * 1.1]}
        xTitle={t('charts.day')}
        yTitle={t('charts.users')}
        ariaLabel={t(`charts.${part}`)}
        i18nStrings={{
          xTickFormatter: value => dayText(String(value)),
          yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(language) : ''),
        }}
        series={[
          {
            type: 'bar',
            title: t(`charts.${part}`),
            color: colours[part],
            data: days.map(one => ({ x: one.date, y: one[part] })),
          },
        ]}
      />
    </Container>
  )
}
