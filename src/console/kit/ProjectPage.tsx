import './kit.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../address.ts'
import { PendingPage } from '../PendingPage.tsx'
import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { PageHeader } from './PageHeader.tsx'
import { type ChosenProject, ProjectChoice } from './ProjectChoice.tsx'

interface ProjectPageProps {
  /** Of `useProject`. */
  of: ChosenProject
  title: string
  text: string
  /** What else is chosen, beside the project. */
  beside?: ReactNode
  /** What stands below the choice; anew for each project, so that nothing of one is shown of another. */
  children: (projectId: string) => ReactNode
}

/** A page of what belongs to a project: its name, the choice of the project, and what is there. */
export function ProjectPage({ of, title, text, beside, children }: ProjectPageProps) {
  return (
    <SpaceBetween size="l">
      <PageHeader title={title} description={text} />
      <Below of={of} beside={beside}>
        {children}
      </Below>
    </SpaceBetween>
  )
}

function Below({ of, beside, children }: Pick<ProjectPageProps, 'of' | 'beside' | 'children'>) {
  const { t } = useTranslation()
  const { found, isEmpty, project } = of
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (isEmpty) {
    const toProjects = <Button href={hrefOf('/projects', {})}>{t('noProjects.go')}</Button>
    return <EmptyState title={t('noProjects.title')} text={t('noProjects.text')} action={toProjects} />
  }
  return (
    <SpaceBetween size="l">
      <div className="lg-choices">
        <ProjectChoice of={of} />
        {beside}
      </div>
      {project ? <div key={project.projectId}>{children(project.projectId)}</div> : found.isPending && <PendingPage />}
    </SpaceBetween>
  )
}
