import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { projectsApi } from './events-calls.ts'
import { LiveBox } from './LiveBox.tsx'
import { NamesTab } from './NamesTab.tsx'
import { ReportExample } from './ReportExample.tsx'

/** What the apps of a project report. */
export default function AppEventsPage() {
  const { t } = useTranslation('analyse/app-events')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['q', 'page', 'cursor'])
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => (
        <SpaceBetween size="l">
          <NamesTab projectId={projectId} />
          <LiveBox projectId={projectId} />
          <ReportExample />
        </SpaceBetween>
      )}
    </ProjectPage>
  )
}
