import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import LineChart from '@cloudscape-design/components/line-chart'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { shownLocale } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { audiencesApi } from '../targeting-calls.ts'

const dayMs = 86_400_000

/** How large an audience was over time, and by how many it has grown. */
export function SizeBox({ audienceId }: { audienceId: string }) {
  const { t } = useTranslation('grow/targeting')
  const found = useCall(audiencesApi.getAudienceSizes, { params: { audienceId } })
  return (
    <Container
      header={
        <Header variant="h2" description={t('sizes.text')}>
          {t('sizes.title')}
        </Header>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isLoading && <StatusIndicator type="loading">{t('sizes.loading')}</StatusIndicator>}
      {found.data && <Sizes of={found.data} />}
    </Container>
  )
}

interface Found {
  points: { at: number; size: number }[]
  sinceYesterday: number | null
  sinceLastWeek: number | null
}

function Sizes({ of: { points, sinceYesterday, sinceLastWeek } }: { of: Found }) {
  const { t } = useTranslation('grow/targeting')
  const language = shownLocale()
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' })
  const growth = (by: number | null) => (by === null ? '–' : signed.format(by))
  const [first, last] = [points[0], points.at(-1)]
  const isShort = !first || !last || last.at - first.at < 2 * dayMs
  const tick = new Intl.DateTimeFormat(language, {
    ...({ month: 'short', day: 'numeric' } as const),
    ...(isShort && ({ hour: 'numeric', minute: '2-digit' } as const)),
  })
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={2}
        items={[
          { label: t('sizes.yesterday'), value: growth(sinceYesterday) },
          { label: t('sizes.lastWeek'), value: growth(sinceLastWeek) },
        ]}
      />
      {!first || !last || first === last ? (
        <p className="lg-soft">{t('sizes.tooFew')}</p>
      ) : (
        <LineChart
          hideFilter
          hideLegend
          height={180}
          xScaleType="time"
          xDomain={[new Date(first.at), new Date(last.at)]}
          yDomain={[0, Math.max(1, ...points.map(one => one.size)) * 1.1]}
          xTitle={t('sizes.time')}
          yTitle={t('audiences.size')}
          ariaLabel={t('sizes.title')}
          i18nStrings={{
            xTickFormatter: value => tick.format(value),
            yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(language) : ''),
          }}
          detailPopoverSeriesContent={({ y }) => ({ key: t('audiences.size'), value: y.toLocaleString(language) })}
          detailPopoverFooter={x => moment.format(x)}
          series={[
            {
              type: 'line',
              title: t('audiences.size'),
              data: points.map(({ at, size }) => ({ x: new Date(at), y: size })),
            },
          ]}
        />
      )}
    </SpaceBetween>
  )
}
