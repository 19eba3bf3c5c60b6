import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { databaseApi } from './database-calls.ts'
import { Tiles } from './Tiles.tsx'

/** Who listens now; asked again every two seconds. */
export function LiveTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.listListeners, { query: { projectId } }, { refetchInterval: 2_000, staleTime: 0 })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const { data } = found
  const tiles = (['connections', 'subscriptions', 'sent', 'resyncs'] as const).map(name => ({
    id: name,
    label: t(`live.${name}`),
    value: data?.[name] ?? 0,
  }))
  return (
    <SpaceBetween size="l">
      <Tiles tiles={tiles} />
      <Table
        items={data?.groups ?? []}
        loading={found.isPending}
        loadingText={t('loading')}
        header={
          <Header variant="h2" description={t('live.text')}>
            {t('live.groups')}
          </Header>
        }
        empty={<EmptyState title={t('live.empty')} text={t('live.emptyText')} />}
        ariaLabels={{ tableLabel: t('live.groups') }}
        columnDefinitions={[
          {
            id: 'type',
            header: t('types.name'),
            isRowHeader: true,
            cell: group => <span translate="no">{`${group.zone} / ${group.type}`}</span>,
          },
          { id: 'sees', header: t('live.sees'), cell: group => t(`sees.${group.sees}`, { defaultValue: group.sees }) },
          { id: 'conditions', header: t('live.conditions'), cell: group => group.conditions },
          {
            id: 'subscribers',
            header: t('live.subscribers'),
            cell: group => group.subscribers.toLocaleString(i18n.resolvedLanguage),
          },
          { id: 'sent', header: t('live.sent'), cell: group => group.sent.toLocaleString(i18n.resolvedLanguage) },
        ]}
      />
    </SpaceBetween>
  )
}
