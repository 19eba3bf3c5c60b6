import './teams.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { PersonName } from '../../../../console/kit/PersonName.tsx'
import { RowCards } from '../../../../console/kit/RowCards.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { When } from '../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { queryClient, useCall } from '../../../../console/use-call.ts'
import { isBulkOver, refusalText, toneOfBulk, toneOfResult } from './bulk-words.ts'
import { type BulkItemView, type BulkView, bulkApi, memberApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

/** How far an action on many members is, and what became of each. */
export default function BulkPage() {
  const bulkId = usePageParam('bulkId')
  const { t } = useTranslation('ground/teams')
  const isNarrow = useIsNarrow()
  const { nameOf } = useRoles()
  const found = useCall(
    bulkApi.getMemberBulk,
    { query: { bulkId } },
    { refetchInterval: query => (isBulkOver((query.state.data as BulkView | undefined)?.state) ? false : 1000) },
  )
  const isOver = isBulkOver(found.data?.state)
  useEffect(() => {
    if (isOver)
      void queryClient.invalidateQueries({ predicate: one => one.queryKey[1] === memberApi.listMembers.callName })
  }, [isOver])
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const { action, roles, state, done, refused, total, percent, createdBy, createdAt, list } = found.data
  const columns: TableColumn<BulkItemView>[] = [
    {
      id: 'name',
      header: t('members.name'),
      isName: true,
      cell: item => <PersonName name={item.name || item.accountId} loginName={item.loginName} />,
    },
    {
      id: 'result',
      header: t('bulk.became'),
      cell: item => <StatusBadge tone={toneOfResult[item.result]} text={t(`bulk.results.${item.result}`)} />,
    },
    { id: 'why', header: t('bulk.why'), cell: item => refusalText(item, t) ?? '–' },
    { id: 'at', header: t('bulk.at'), cell: item => <When at={item.at} /> },
  ]
  const progress = t('bulk.progress', { done, refused, total })
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t(`bulk.actions.${action}`)}
        description={
          <>
            <span translate="no">{createdBy ?? '–'}</span> · <When at={createdAt} />
            {roles.length > 0 && ` · ${roles.map(nameOf).join(', ')}`}
          </>
        }
        status={<StatusBadge tone={toneOfBulk[state]} text={t(`bulk.states.${state}`)} />}
        actions={<Link href={hrefOf('/team/bulk')}>{t('bulk.all')}</Link>}
      />
      <Container>
        <ProgressBar
          label={t(`bulk.actions.${action}`)}
          value={percent}
          status={state === 'done' ? 'success' : isOver ? 'error' : 'in-progress'}
          additionalInfo={isOver ? undefined : progress}
          resultText={progress}
        />
      </Container>
      {isNarrow ? (
        <RowCards rows={list} columns={columns} rowKey={item => item.accountId} isLoading={false} nothing={null} />
      ) : (
        <Table
          items={list}
          trackBy="accountId"
          wrapLines
          header={
            <Header variant="h2" counter={`(${total})`}>
              {t('bulk.result')}
            </Header>
          }
          columnDefinitions={columns.map(column => ({
            id: column.id,
            header: column.header,
            cell: column.cell,
            isRowHeader: column.isName ?? false,
            minWidth: column.id === 'why' ? 320 : 140,
          }))}
          ariaLabels={{ tableLabel: t('bulk.result') }}
        />
      )}
    </SpaceBetween>
  )
}
