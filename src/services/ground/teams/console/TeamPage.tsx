import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { may, useSession } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { EditTeam } from './EditTeam.tsx'
import { LeadCard } from './LeadCard.tsx'
import { LeaveOrDelete } from './LeaveOrDelete.tsx'
import { MyTeams } from './MyTeams.tsx'
import { NewTeam } from './NewTeam.tsx'
import { TeamFacts } from './TeamFacts.tsx'
import { api } from './team-calls.ts'

export default function TeamPage() {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const [open, setOpen] = useState<'edit' | 'new' | null>(null)
  const hasTeam = session.status === 'in' && session.teamId !== null && may('teams.read')
  const team = useCall(api.getTeamInfo, {}, { enabled: hasTeam })
  const create = (
    <Button data-action="new-team" onClick={() => setOpen('new')}>
      {t('team.create')}
    </Button>
  )

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={team.data?.name ?? t('team.title')}
        description={team.data?.description || t('team.text')}
        actions={
          <>
            <Can call={api.updateTeamInfo}>
              <Button data-action="edit-team" disabled={!team.data} onClick={() => setOpen('edit')}>
                {t('team.edit')}
              </Button>
            </Can>
            {create}
          </>
        }
      />
      {!hasTeam && <EmptyState title={t('team.none')} text={t('team.noneText')} action={create} />}
      {team.error && <ErrorState error={team.error} onRetry={() => void team.refetch()} />}
      {hasTeam && team.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {team.data && <TeamFacts team={team.data} />}
      {team.data && <LeadCard teamId={team.data.teamId} />}
      <MyTeams />
      {team.data && <LeaveOrDelete team={team.data} />}
      {open === 'edit' && team.data && <EditTeam team={team.data} onClose={() => setOpen(null)} />}
      {open === 'new' && <NewTeam onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
