import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useTeamZones } from '../use-team-zones.ts'
import { NewAppWizard } from './NewAppWizard.tsx'

/** An app is born in a project, so without one the way leads there first. */
export default function NewAppPage() {
  const { t } = useTranslation('distribute/apps')
  const { projects, isPending, error } = useTeamZones()
  const [{ projectId }] = usePageSearch<{ projectId?: string }>(raw => raw as { projectId?: string })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('new.title')} description={t('new.text')} />
      {error && <ErrorState error={error} />}
      {isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {!isPending && !error && projects.length === 0 && (
        <EmptyState
          title={t('new.noProject')}
          text={t('new.noProjectText')}
          action={
            <Button variant="primary" href={hrefOf('/projects', {}, { new: '1' })}>
              {t('new.toProjects')}
            </Button>
          }
        />
      )}
      {projects.length > 0 && (
        <NewAppWizard projects={projects} wantedProjectId={projectId ?? projects[0]?.projectId ?? ''} />
      )}
    </SpaceBetween>
  )
}
