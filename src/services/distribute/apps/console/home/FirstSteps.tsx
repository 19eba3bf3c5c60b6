import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'

/** The way of a team that has no app yet. */
export function FirstSteps({ hasProject }: { hasProject: boolean }) {
  const { t } = useTranslation('distribute/apps')
  return (
    <Container
      header={
        <Header variant="h2" description={t('first.text')}>
          {t('first.title')}
        </Header>
      }
    >
      <ol className="apps-lines">
        <li>
          <StatusBadge tone={hasProject ? 'good' : 'info'} text={t('first.project')} />
          {!hasProject && (
            <Can may="projects.create">
              <Button variant="primary" href={hrefOf('/projects', {}, { new: '1' })}>
                {t('first.createProject')}
              </Button>
            </Can>
          )}
        </li>
        <li>
          <StatusBadge tone={hasProject ? 'info' : 'off'} text={t('first.app')} />
          {hasProject && (
            <Can may="apps.create">
              <Button variant="primary" href={hrefOf('/apps/new')}>
                {t('apps.create')}
              </Button>
            </Can>
          )}
        </li>
        <li>
          <StatusBadge tone="off" text={t('first.release')} />
        </li>
      </ol>
    </Container>
  )
}
