import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { RowCards } from '../../../../../console/kit/RowCards.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useIsNarrow } from '../../../../../console/shell/use-is-narrow.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { versionBulks } from '../../bulk/contract.ts'
import { bulkApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { toneOfBulk, toneOfResult } from './bulk-words.ts'

type Report = Answer<(typeof versionBulks.calls)['getBulk']>
type Item = Report['list'][number]
const isOver = (state: string | undefined) => state === 'done' || state === 'failed' || state === 'canceled'

/** How far an action on many versions is, and what became of each. */
export default function BulkPage() {
  const bulkId = usePageParam('bulkId')
  const { t } = useTranslation('distribute/versions')
  const isNarrow = useIsNarrow()
  const found = useCall(
    bulkApi.getBulk,
    { query: { bulkId } },
    { refetchInterval: query => (isOver((query.state.data as Report | undefined)?.state) ? false : 1000) },
  )
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const report = found.data
  const { state, done, refused, total } = report
  const columns: TableColumn<Item>[] = [
    {
      id: 'app',
      header: t('bulk.app'),
      isName: true,
      cell: item => (
        <Link href={hrefOf('/apps/$appId/version/$versionId', { appId: item.appId, versionId: item.versionId })}>
          {item.appName || item.appId}
        </Link>
      ),
    },
    { id: 'version', header: t('bulk.version'), cell: item => nameOf(item) },
    {
      id: 'result',
      header: t('bulk.result'),
      cell: item => <StatusBadge tone={toneOfResult[item.result]} text={t(`bulk.results.${item.result}`)} />,
    },
    {
      id: 'why',
      header: t('bulk.why'),
      cell: item => (item.state ? t(`state.${item.state}`) : (item.message ?? '–')),
    },
  ]
  const status = state === 'done' ? 'success' : isOver(state) ? 'error' : 'in-progress'
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('bulk.reportTitle', { action: t(`bulk.actions.${report.action}`) })}
        description={
          <>
            {report.createdBy ?? '–'} · <When at={report.createdAt} />
          </>
        }
        status={<StatusBadge tone={toneOfBulk[state]} text={t(`bulk.states.${state}`)} />}
        actions={<Link href={hrefOf('/bulk')}>{t('bulk.title')}</Link>}
      />
      {report.reason && (
        <Alert type="info" header={t('bulk.reason')}>
          {report.reason}
        </Alert>
      )}
      <Container>
        <ProgressBar
          label={t(`bulk.actions.${report.action}`)}
          value={report.percent}
          status={status}
          additionalInfo={isOver(state) ? undefined : t('bulk.progress', { done, refused, total })}
          resultText={t('bulk.progress', { done, refused, total })}
        />
      </Container>
      {isNarrow ? (
        <RowCards
          rows={report.list}
          columns={columns}
          rowKey={item => item.versionId}
          isLoading={false}
          nothing={null}
        />
      ) : (
        <Table
          items={report.list}
          trackBy="versionId"
          header={
            <Header variant="h2" counter={`(${total})`}>
              {t('bulk.result')}
            </Header>
          }
          wrapLines
          columnDefinitions={columns.map(column => ({
            id: column.id,
            header: column.header,
            cell: column.cell,
            isRowHeader: column.isName ?? false,
            ...(column.id === 'why' ? { minWidth: 320 } : { minWidth: 140 }),
          }))}
          ariaLabels={{ tableLabel: t('bulk.result') }}
        />
      )}
    </SpaceBetween>
  )
}
