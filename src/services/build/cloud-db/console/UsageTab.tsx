import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import MixedLineBarChart from '@cloudscape-design/components/mixed-line-bar-chart'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { databaseApi } from './database-calls.ts'
import { Tiles } from './Tiles.tsx'

const colours = { reads: '#688ae8', writes: '#2ea597' } as const

/** What is held, read and written. */
export function UsageTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.fetchDataUsage, { query: { projectId, days: 30 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const { data } = found
  const language = i18n.resolvedLanguage ?? 'en'
  const days = data?.days ?? []
  const top = Math.max(4, ...days.map(one => one.reads + one.writes))
  const tiles = [
    { id: 'rows', label: t('usage.rows'), value: data?.rows ?? 0 },
    { id: 'storage', label: t('usage.storage'), value: <ByteSize value={data?.storageBytes ?? 0} /> },
    { id: 'reads', label: t('usage.reads'), value: data?.reads ?? 0 },
    { id: 'writes', label: t('usage.writes'), value: data?.writes ?? 0 },
  ]
  return (
    <SpaceBetween size="l">
      <Tiles tiles={tiles} />
      <Container header={<Header variant="h2">{t('usage.days')}</Header>}>
        <MixedLineBarChart
          hideFilter
          height={200}
          xScaleType="categorical"
          stackedBars
          xDomain={days.map(one => one.day)}
          yDomain={[0, top * 1.1]}
          xTitle={t('usage.day')}
          yTitle={t('usage.rows')}
          ariaLabel={t('usage.days')}
          empty={<EmptyState title={t('usage.empty')} />}
          i18nStrings={{ yTickFormatter: value => (Number.isInteger(value) ? value.toLocaleString(language) : '') }}
          series={(['reads', 'writes'] as const).map(part => ({
            type: 'bar' as const,
            title: t(`usage.${part}`),
            color: colours[part],
            data: days.map(one => ({ x: one.day, y: one[part] })),
          }))}
        />
      </Container>
      <Table
        items={data?.perType ?? []}
        loading={found.isPending}
        loadingText={t('loading')}
        header={<Header variant="h2">{t('usage.perType')}</Header>}
        empty={<EmptyState title={t('types.empty')} />}
        ariaLabels={{ tableLabel: t('usage.perType') }}
        columnDefinitions={[
          {
            id: 'type',
            header: t('types.name'),
            isRowHeader: true,
            cell: one => <span translate="no">{one.objectTypeName}</span>,
          },
          { id: 'zone', header: t('zones.name'), cell: one => <span translate="no">{one.zone}</span> },
          { id: 'rows', header: t('zones.rows'), cell: one => one.rows.toLocaleString(language) },
          { id: 'bytes', header: t('zones.bytes'), cell: one => <ByteSize value={one.bytes} /> },
        ]}
      />
    </SpaceBetween>
  )
}
