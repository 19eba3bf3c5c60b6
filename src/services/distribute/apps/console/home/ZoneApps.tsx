import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { type AppView, api } from '../app-calls.ts'
import { nextStepOf, steps } from '../next-step.ts'
import { usePictures } from '../use-pictures.ts'
import { AppLine } from './AppLine.tsx'

const looked = 50
const shown = 6

/** The apps of one zone by what they need: first what is stuck, then what somebody worked on last. */
export function ZoneApps({ zone, isAlone }: { zone: ZoneId; isAlone: boolean }) {
  const { t } = useTranslation('distribute/apps')
  const found = useCall(api.listApps, { query: { pageSize: looked, sort: 'updated' } }, { zone })
  const apps = found.data?.list ?? []
  const urgent = apps.filter(app => steps[nextStepOf(app)].isUrgent)
  const others = apps.filter(app => !urgent.includes(app)).slice(0, shown)
  const pictures = usePictures(
    [...urgent, ...others].map(app => app.iconObjectId),
    zone,
  )
  const lines = (list: readonly AppView[]) => (
    <ul className="apps-lines">
      {list.map(app => (
        <AppLine key={app.appId} app={app} picture={app.iconObjectId ? pictures.get(app.iconObjectId) : undefined} />
      ))}
    </ul>
  )
  const titleOf = (title: string) => (isAlone ? title : t('homePage.inZone', { title, zone: t(`zones.${zone}`) }))

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <div className="apps-cards">
      <Container
        fitHeight
        header={
          <Header variant="h2" counter={`(${urgent.length})`}>
            {titleOf(t('homePage.attention'))}
          </Header>
        }
      >
        {urgent.length > 0 ? lines(urgent) : <EmptyState title={t('homePage.calm')} text={t('homePage.calmText')} />}
      </Container>
      <Container
        fitHeight
        header={
          <Header
            variant="h2"
            actions={<Link href={hrefOf('/apps', {}, isAlone ? {} : { zone })}>{t('homePage.allApps')}</Link>}
          >
            {titleOf(t('homePage.latest'))}
          </Header>
        }
      >
        {others.length > 0 ? lines(others) : <EmptyState title={t('homePage.noOthers')} />}
      </Container>
    </div>
  )
}
