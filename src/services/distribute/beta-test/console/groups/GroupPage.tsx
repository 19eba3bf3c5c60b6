import '../beta.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCrumbName, usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { appsApi, groupsApi } from '../beta-calls.ts'
import { PeopleTable } from '../people/PeopleTable.tsx'
import { GroupForm } from './GroupForm.tsx'
import { LinkPanel } from './LinkPanel.tsx'

/** One group: its people, and the link by which more of them come. */
export default function GroupPage() {
  const { t } = useTranslation('distribute/beta-test')
  const appId = usePageParam('appId')
  const groupId = usePageParam('groupId')
  const app = useCall(appsApi.getApp, { query: { appId } })
  const found = useCall(groupsApi.getGroup, { params: { groupId } })
  useCrumbName('/apps/$appId', app.data?.name)
  usePageTitle(found.data?.name)
  const [isEditing, setEditing] = useState(false)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const group = found.data
  const { name, kind, inUseByVersionIds } = group
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={name}
        description={t(`kindTexts.${kind}`)}
        status={<StatusBadge tone={kind === 'INTERNAL' ? 'info' : 'off'} text={t(`kinds.${kind}`)} />}
        actions={
          <>
            <Button href={hrefOf('/apps/$appId/tests', { appId })}>
              {t('groups.testsOf', { count: inUseByVersionIds.length })}
            </Button>
            <Can call={groupsApi.updateGroup}>
              <Button data-action="updateGroup" onClick={() => setEditing(true)}>
                {t('groups.edit')}
              </Button>
            </Can>
          </>
        }
      />
      <PeopleTable group={group} />
      {kind === 'EXTERNAL' && (
        <Can call={groupsApi.updateGroup}>
          <LinkPanel groupId={groupId} />
        </Can>
      )}
      {isEditing && <GroupForm appId={appId} group={group} onClose={() => setEditing(false)} />}
    </SpaceBetween>
  )
}
