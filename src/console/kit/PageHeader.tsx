import './kit.css'
import Header from '@cloudscape-design/components/header'
import type { ReactNode } from 'react'
import { useIsNarrow } from '../shell/use-is-narrow.ts'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** A `StatusBadge` or counter beside the title. */
  status?: ReactNode
}

/** The one `h1` of a page. For the name of the thing on screen also call `usePageTitle(name)`. On a small screen the buttons follow below the description. */
export function PageHeader({ title, description, actions, status }: PageHeaderProps) {
  const isNarrow = useIsNarrow()
  const buttons = actions && <div className="lg-actions lg-header-actions">{actions}</div>
  const header = (
    <Header variant="h1" description={description} info={status} actions={isNarrow ? undefined : buttons}>
      {title}
    </Header>
  )
  if (!isNarrow || !buttons) return header
  return (
    <div>
      {header}
      {buttons}
    </div>
  )
}
