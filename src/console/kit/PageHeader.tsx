import './kit.css'
import Header from '@cloudscape-design/components/header'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  description?: ReactNode
  /** Buttons, the primary one last. */
  actions?: ReactNode
  /** A `StatusBadge` or counter beside the title. */
  status?: ReactNode
}

/** The one `h1` of a page. For the name of the thing on screen also call `usePageTitle(name)`. */
export function PageHeader({ title, description, actions, status }: PageHeaderProps) {
  return (
    <Header
      variant="h1"
      description={description}
      info={status}
      actions={actions && <div className="lg-actions">{actions}</div>}
    >
      {title}
    </Header>
  )
}
