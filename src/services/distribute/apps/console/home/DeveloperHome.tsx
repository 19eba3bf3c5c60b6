import '../apps.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useSession } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { homeCalls } from '../app-calls.ts'
import { useTeamZones } from '../use-team-zones.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { HomeItems } from './HomeItems.tsx'
import { LatestApps } from './LatestApps.tsx'
import { TeamNumbers } from './TeamNumbers.tsx'

/** What waits for somebody, then the team in numbers; a new team is led through its first three steps. */
export default function DeveloperHome() {
  const { t } = useTranslation('distribute/apps')
  const session = useSession()
  const counts = useCall(homeCalls.getAggregate, {})
  const { zones, isPending } = useTeamZones()
  const { account, teams } = session.status === 'in' ? session.info : { account: { name: '' }, teams: [] }
  const team = session.status === 'in' ? teams.find(one => one.teamId === session.teamId) : undefined

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('homePage.title', { name: account.name })}
        description={team && t('homePage.text', { team: team.name })}
      />
      {counts.error && <ErrorState error={counts.error} onRetry={() => void counts.refetch()} />}
      {!counts.error && (!counts.data || isPending) && (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      )}
      {counts.data && <TeamNumbers counts={counts.data} />}
      {counts.data && counts.data.apps > 0 && <HomeItems home={counts.data} />}
      {counts.data && counts.data.apps === 0 && <FirstSteps hasProject={counts.data.projects > 0} />}
      {counts.data && counts.data.apps > 0 && !isPending && <LatestApps zones={zones} />}
    </SpaceBetween>
  )
}
