import './kit.css'
import Icon, { type IconProps } from '@cloudscape-design/components/icon'
import { useTranslation } from 'react-i18next'
import type { Tone } from './StatusBadge.tsx'
import { When } from './When.tsx'

export interface TimelineStep {
  id: string
  /** The state or move, translated. */
  title: string
  tone: Tone
  at: number | null
  /** Who did it; left out for the system. */
  actor?: string | undefined
  note?: string | undefined
  /** Not reached yet: drawn hollow. */
  isAhead?: boolean
}

const icons: Record<Tone, IconProps.Name> = {
  good: 'status-positive',
  bad: 'status-negative',
  caution: 'status-warning',
  info: 'status-info',
  waiting: 'status-pending',
  running: 'status-in-progress',
  stopped: 'status-stopped',
  off: 'status-not-started',
}

interface TimelineProps {
  label: string
  steps: readonly TimelineStep[]
  /** `across` runs left to right and scrolls inside its own box; narrow screens are always `down`. */
  direction?: 'across' | 'down'
}

/** The life of a thing as a picture: states in order, when and by whom; an ordered list to a screen reader. */
export function Timeline({ label, steps, direction = 'down' }: TimelineProps) {
  const { t } = useTranslation()
  const lastReached = steps.findLastIndex(step => !step.isAhead)
  const list = (
    <ol className={`lg-timeline lg-timeline-${direction}`} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step.id}
          className={`lg-tone-${step.tone}${step.isAhead ? ' lg-ahead' : ''}`}
          aria-current={index === lastReached ? 'step' : undefined}
        >
          <span className="lg-timeline-dot" aria-hidden="true">
            <Icon name={step.isAhead ? 'status-not-started' : icons[step.tone]} />
          </span>
          <span className="lg-timeline-text">
            <strong>{step.title}</strong>
            <span className="lg-soft">
              {step.isAhead ? t('timeline.ahead') : <When at={step.at} />}
              {step.actor && ` · ${step.actor}`}
            </span>
            {step.note && <span>{step.note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
  if (direction === 'down') return list
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it
    <section className="lg-timeline-box" aria-label={label} tabIndex={0}>
      {list}
    </section>
  )
}
