import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { homeCalls, projectCalls } from '../app-calls.ts'
import { DeleteProject } from './DeleteProject.tsx'
import { EditProject } from './EditProject.tsx'
import { ProjectApps } from './ProjectApps.tsx'

export default function ProjectPage() {
  const { t } = useTranslation(['distribute/apps', 'ground/projects'])
  const projectId = usePageParam('projectId')
  const found = useCall(projectCalls.getProject, { query: { projectId } })
  const counts = useCall(homeCalls.getAggregate, {})
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const project = found.data
  usePageTitle(project?.name)

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!project) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={project.name}
        description={t('project.text')}
        actions={
          <>
            <Can call={projectCalls.deleteProject}>
              <Button
                disabled={project.appCount > 0}
                disabledReason={t('project.hasApps')}
                onClick={() => setOpen('delete')}
              >
                {t('action.delete')}
              </Button>
            </Can>
            <Can call={projectCalls.updateProject}>
              <Button onClick={() => setOpen('edit')}>{t('project.rename')}</Button>
            </Can>
            <Button href={hrefOf('/projects/$projectId/services', { projectId })}>{t('project.services')}</Button>
            <Button href={hrefOf('/projects/$projectId/settings', { projectId })}>{t('project.settings')}</Button>
          </>
        }
      />
      <Container header={<Header variant="h2">{t('project.facts')}</Header>}>
        <KeyValuePairs
          columns={3}
          minColumnWidth={220}
          items={[
            { label: t('app.zone'), value: <ZoneName zone={project.zone} /> },
            { label: t('project.apps'), value: project.appCount },
            {
              label: t('project.members'),
              value: <Link href={hrefOf('/team/members')}>{counts.data?.members ?? '–'}</Link>,
            },
            { label: t('project.id'), value: project.projectId },
            { label: t('app.created'), value: <When at={project.createdAt} /> },
            { label: t('app.updated'), value: <When at={project.updatedAt} /> },
          ]}
        />
      </Container>
      <ProjectApps project={project} />
      {open === 'edit' && <EditProject project={project} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteProject project={project} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
