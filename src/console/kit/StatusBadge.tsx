import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'

export type Tone = 'good' | 'bad' | 'caution' | 'info' | 'waiting' | 'running' | 'stopped' | 'off'

const types: Record<Tone, StatusIndicatorProps.Type> = {
  good: 'success',
  bad: 'error',
  caution: 'warning',
  info: 'info',
  waiting: 'pending',
  running: 'in-progress',
  stopped: 'stopped',
  off: 'not-started',
}

/** A state as icon, word and colour together; the word is the page's, already translated. */
export function StatusBadge({ tone, text }: { tone: Tone; text: string }) {
  return (
    <span className="lg-status">
      <StatusIndicator type={types[tone]}>{text}</StatusIndicator>
    </span>
  )
}
