import { useTranslation } from 'react-i18next'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { projectsApi } from './events-calls.ts'
import { NamesTab } from './NamesTab.tsx'

/** What the apps of a project report. */
export default function AppEventsPage() {
  const { t } = useTranslation('analyse/app-events')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['q', 'page', 'cursor'])
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => <NamesTab projectId={projectId} />}
    </ProjectPage>
  )
}
