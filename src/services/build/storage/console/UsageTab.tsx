import Box from '@cloudscape-design/components/box'
import ColumnLayout from '@cloudscape-design/components/column-layout'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../console/kit/ByteSize.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import type { Language } from '../../../../console/language.ts'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { serverNow } from '../../../../console/server-clock.ts'
import { useCall } from '../../../../console/use-call.ts'
import { api } from './storage-calls.ts'

const days = 30
const bytes = new Set(['storedBytes', 'egressBytesPerDay'])

/** What a project may use, and what it used day by day. */
export function UsageTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/storage')
  const language = i18n.resolvedLanguage as Language
  const level = useCall(api.getUserLevel, { body: { projectId } })
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
  const now = serverNow()
  const usage = useCall(api.listUsage, {
    body: { projectId, from: dayOf(now - (days - 1) * 86_400_000), to: dayOf(now) },
  })
  const error = level.error ?? usage.error
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([level.refetch(), usage.refetch()])} />
  if (!level.data || !usage.data) return <PendingPage />
  const shown = (metric: string, value: number) =>
    bytes.has(metric) ? sizeText(value, language) : value.toLocaleString(language)
  const points = usage.data.points
  const chart = (name: 'storedBytes' | 'egressBytes' | 'classA' | 'classB') => ({
    name,
    data: points.map(point => ({ x: point.date, y: point[name] })),
  })
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t('usage.quotas', { level: t(`levels.${level.data.level}`) })}</Header>}>
        <ColumnLayout columns={2}>
          {level.data.quotas.map(({ metric, limit, used }) => (
            <div key={metric}>
              <Box variant="awsui-key-label">{t(`usage.${metric}`)}</Box>
              {limit === null ? (
                shown(metric, used)
              ) : (
                <ProgressBar
                  ariaLabel={t(`usage.${metric}`)}
                  value={Math.min(100, (100 * used) / Math.max(1, limit))}
                  additionalInfo={t('usage.of', { used: shown(metric, used), limit: shown(metric, limit) })}
                />
              )}
            </div>
          ))}
        </ColumnLayout>
      </Container>
      <ColumnLayout columns={2}>
        {(['storedBytes', 'egressBytes', 'classA', 'classB'] as const).map(chart).map(({ name, data }) => (
          <Container key={name} header={<Header variant="h3">{t(`usage.${name}`)}</Header>}>
            <MixedLineBarChart
              ariaLabel={t(`usage.${name}`)}
              height={160}
              hideFilter
              hideLegend
              xScaleType="categorical"
              xDomain={data.map(point => point.x)}
              yDomain={[0, Math.max(name.endsWith('Bytes') ? 1024 : 1, ...data.map(point => point.y))]}
              series={data.some(point => point.y > 0) ? [{ type: 'bar', title: t(`usage.${name}`), data }] : []}
              i18nStrings={{
                yTickFormatter: value =>
                  name.endsWith('Bytes') ? sizeText(value, language) : value.toLocaleString(language),
              }}
              empty={<Box color="text-body-secondary">{t('usage.none')}</Box>}
            />
          </Container>
        ))}
      </ColumnLayout>
    </SpaceBetween>
  )
}
