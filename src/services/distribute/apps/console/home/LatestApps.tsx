import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import type { AppView } from '../app-calls.ts'
import { nextStepOf, steps } from '../next-step.ts'
import { AppLine } from './AppLine.tsx'
import { useLatestApps } from './use-latest-apps.ts'

const shown = 6

/** The team's apps by what they need: first what is stuck, then what somebody worked on last. */
export function LatestApps({ zones }: { zones: readonly ZoneId[] }) {
  const { t } = useTranslation('distribute/apps')
  const { apps, pictures, isPending, error, retry } = useLatestApps(zones)
  const urgent = apps.filter(app => steps[nextStepOf(app)].isUrgent)
  const others = apps.filter(app => !urgent.includes(app)).slice(0, shown)
  const lines = (list: readonly AppView[]) => (
    <ul className="apps-lines">
      {list.map(app => (
        <AppLine
          key={app.appId}
          app={app}
          picture={app.iconObjectId ? pictures.get(app.iconObjectId) : undefined}
          hasZone={zones.length > 1}
        />
      ))}
    </ul>
  )

  if (error) return <ErrorState error={error} onRetry={retry} />
  if (isPending) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <div className="apps-cards">
      <Container
        fitHeight
        header={
          <Header variant="h2" counter={`(${urgent.length})`}>
            {t('homePage.attention')}
          </Header>
        }
      >
        {urgent.length > 0 ? lines(urgent) : <EmptyState title={t('homePage.calm')} text={t('homePage.calmText')} />}
      </Container>
      <Container
        fitHeight
        header={
          <Header variant="h2" actions={<Link href={hrefOf('/apps')}>{t('homePage.allApps')}</Link>}>
            {t('homePage.latest')}
          </Header>
        }
      >
        {others.length > 0 ? lines(others) : <EmptyState title={t('homePage.noOthers')} />}
      </Container>
    </div>
  )
}
