import './kit.css'
import Box from '@cloudscape-design/components/box'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  text?: string
  action?: ReactNode
  /** `h1` where it is the whole page. */
  level?: 'h1' | 'h2' | 'h3'
}

/** Says why nothing is here and what to do about it. */
export function EmptyState({ title, text, action, level = 'h3' }: EmptyStateProps) {
  return (
    <div className="lg-empty">
      <Box variant={level} tagOverride={level} fontSize={level === 'h1' ? 'heading-l' : 'heading-s'}>
        {title}
      </Box>
      {text && <Box color="text-body-secondary">{text}</Box>}
      {action && <div className="lg-empty-action">{action}</div>}
    </div>
  )
}
