import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Table from '@cloudscape-design/components/table'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { appEvents } from '../contract.ts'
import { eventsApi } from './events-calls.ts'

const askEveryMs = 2_000
type LiveEvent = Answer<typeof appEvents.calls.listLiveEvents>['list'][number]

/** Events as they come, while somebody wants to see them. What was shown last stays when he pauses. */
export function LiveBox({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('analyse/app-events')
  const [isOn, setOn] = useState(false)
  const [filter, setFilter] = useState('')
  const found = useCall(
    eventsApi.listLiveEvents,
    { query: { projectId } },
    { enabled: isOn, refetchInterval: isOn ? askEveryMs : false, staleTime: 0 },
  )
  const list = found.data?.list ?? []
  const wanted = filter.trim().toLowerCase()
  const shown = list.filter(one => `${one.name} ${one.unit}`.toLowerCase().includes(wanted))
  const time = new Intl.DateTimeFormat(i18n.resolvedLanguage, { timeStyle: 'medium', hourCycle: 'h23' })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <Table<LiveEvent>
      items={shown}
      trackBy="eventId"
      variant="container"
      wrapLines
      loading={isOn && found.isPending}
      loadingText={t('live.loading')}
      header={
        <Header
          variant="h2"
          description={t('live.text')}
          actions={
            <Button iconName={isOn ? 'pause' : 'play'} onClick={() => setOn(!isOn)}>
              {t(isOn ? 'live.pause' : 'live.start')}
            </Button>
          }
        >
          {t('live.title')}
        </Header>
      }
      filter={
        list.length > 0 && (
          <TextFilter
            filteringText={filter}
            filteringAriaLabel={t('live.search')}
            filteringPlaceholder={t('live.search')}
            onChange={({ detail }) => setFilter(detail.filteringText)}
          />
        )
      }
      empty={<Nothing isOn={isOn} isFiltered={list.length > 0} />}
      ariaLabels={{ tableLabel: t('live.title') }}
      columnDefinitions={[
        { id: 'when', header: t('live.when'), width: 120, minWidth: 120, cell: one => time.format(one.at) },
        { id: 'name', header: t('live.name'), isRowHeader: true, minWidth: 180, cell: one => <Code text={one.name} /> },
        { id: 'unit', header: t('live.unit'), minWidth: 140, cell: one => <Code text={one.unit} /> },
        {
          id: 'value',
          header: t('live.value'),
          width: 110,
          cell: one => one.value?.toLocaleString(i18n.resolvedLanguage) ?? '–',
        },
        {
          id: 'props',
          header: t('live.props'),
          minWidth: 240,
          cell: one => (one.props === '{}' && one.variant === null ? '–' : <Code text={one.variant ?? one.props} />),
        },
      ]}
    />
  )
}

function Nothing({ isOn, isFiltered }: { isOn: boolean; isFiltered: boolean }) {
  const { t } = useTranslation('analyse/app-events')
  if (isFiltered) return <Box textAlign="center">{t('live.noMatch')}</Box>
  return isOn ? (
    <EmptyState title={t('live.empty')} text={t('live.emptyText')} />
  ) : (
    <EmptyState title={t('live.off')} text={t('live.offText')} />
  )
}

const Code = ({ text }: { text: string }) => (
  <code className="events-name" translate="no">
    {text}
  </code>
)
