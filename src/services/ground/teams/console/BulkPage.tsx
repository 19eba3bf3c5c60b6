import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { BulkReport } from '../../../../console/kit/BulkReport.tsx'
import { isBulkOver, untilOver } from '../../../../console/kit/bulk-words.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PersonName } from '../../../../console/kit/PersonName.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { queryClient, useCall } from '../../../../console/use-call.ts'
import { bulkApi, memberApi } from './team-calls.ts'
import { useRoles } from './use-roles.ts'

/** How far an action on many members is, and what became of each. */
export default function BulkPage() {
  const bulkId = usePageParam('bulkId')
  const { t } = useTranslation('ground/teams')
  const { nameOf } = useRoles()
  const found = useCall(bulkApi.getMemberBulk, { query: { bulkId } }, untilOver)
  const isOver = isBulkOver(found.data?.state)
  useEffect(() => {
    if (isOver)
      void queryClient.invalidateQueries({ predicate: one => one.queryKey[1] === memberApi.listMembers.callName })
  }, [isOver])
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const { action, roles } = found.data
  return (
    <BulkReport
      report={found.data}
      title={t(`bulk.actions.${action}`)}
      about={roles.map(nameOf).join(', ')}
      allHref={hrefOf('/team/bulk')}
      allTitle={t('bulk.all')}
      things={[
        {
          id: 'name',
          header: t('members.name'),
          isName: true,
          cell: item => <PersonName name={item.name || item.accountId} loginName={item.loginName} />,
        },
      ]}
      noteOf={({ code, message }) => (code === null ? message : t(`refusals.${code}`, { defaultValue: message ?? '' }))}
      rowKey={item => item.accountId}
    />
  )
}
