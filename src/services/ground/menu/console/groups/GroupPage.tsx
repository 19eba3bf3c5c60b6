import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo, usePageParam } from '../../../../../console/address.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { teamZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ZoneId, zoneIds } from '../../../../../kernel/zones.ts'
import { operations } from '../menu-calls.ts'
import { GroupTeams } from './GroupTeams.tsx'
import { NewGroup } from './NewGroup.tsx'

export default function GroupPage() {
  const { t } = useTranslation('ground/menu')
  const go = useGo()
  const groupCode = usePageParam('groupCode')
  const [{ zone = teamZone() ?? 'CN' }] = usePageSearch<{ zone?: ZoneId }>(({ zone: asked }) =>
    zoneIds.includes(asked as ZoneId) ? { zone: asked as ZoneId } : {},
  )
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const found = useCall(operations.getGroup, { params: { groupCode } }, { zone })
  const remove = useAction(operations.deleteGroup, { onDone: () => go('/operate/groups', {}, { zone }) })
  const group = found.data
  usePageTitle(group?.name)

  if (found.error) {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('groups.title')} />
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </SpaceBetween>
    )
  }
  if (!group) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={group.name}
        description={
          <>
            <code>{groupCode}</code> · {t('groups.ofZone', { zone: t(`zones.${zone}`) })}
          </>
        }
        actions={
          <>
            <Button data-action="renameGroup" onClick={() => setOpen('rename')}>
              {t('groups.rename')}
            </Button>
            <Button data-action="deleteGroup" onClick={() => setOpen('delete')}>
              {t('action.delete')}
            </Button>
          </>
        }
      />
      <GroupTeams group={group} zone={zone} />
      {open === 'rename' && <NewGroup zone={zone} group={group} onClose={close} onMade={close} />}
      {open === 'delete' && (
        <ConfirmByName
          title={t('groups.deleteTitle')}
          name={groupCode}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onCancel={close}
          onConfirm={() => void remove.run({ params: { groupCode } }, { zone })}
        >
          {t('groups.deleteText', { count: group.teams })}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
