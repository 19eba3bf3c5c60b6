import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { useSession } from '../../../../console/session.ts'
import { switchTeam } from '../../../../console/shell/session-actions.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import './teams.css'

/** Every team of the person, and the way from one to another; the top bar has the same in short. */
export function MyTeams() {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  if (session.status !== 'in' || session.info.teams.length === 0) return null
  const { teams } = session.info
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${teams.length})`} description={t('mine.text')}>
          {t('mine.title')}
        </Header>
      }
    >
      <ul className="teams-mine">
        {teams.map(team => (
          <li key={team.teamId}>
            <span className="lg-thing-line">
              <ThingIcon name={team.name} />
              <span>
                <strong>{team.name}</strong>
                <br />
                <span className="lg-soft">
                  <ZoneName zone={zoneOfSite(team.siteId)} />
                </span>
              </span>
            </span>
            {team.teamId === session.teamId ? (
              <StatusBadge tone="good" text={t('mine.now')} />
            ) : (
              <Button ariaLabel={t('mine.workAs', { team: team.name })} onClick={() => void switchTeam(team.teamId)}>
                {t('mine.work')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Container>
  )
}
