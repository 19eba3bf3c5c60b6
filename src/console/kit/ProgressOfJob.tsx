import ProgressBar from '@cloudscape-design/components/progress-bar'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer, CallSpec } from '../../kernel/contract.ts'
import type { Call, CallInput } from '../client.ts'
import { useCall } from '../use-call.ts'
import { ErrorState } from './ErrorState.tsx'

export interface JobView {
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** 0 to 100; null while unknown. */
  percent: number | null
  /** What it does now, or why it failed; translated by the page. */
  text?: string | undefined
}

interface ProgressOfJobProps<S extends CallSpec> {
  label: string
  call: Call<S>
  input: CallInput<S>
  read: (answer: Answer<S>) => JobView
  everyMs?: number
  onDone?: () => void
}

/** A bar fed by the job itself; it asks again until the job is done or has failed. */
export function ProgressOfJob<S extends CallSpec>(props: ProgressOfJobProps<S>) {
  const { label, call, input, read, everyMs = 1000, onDone } = props
  const { t } = useTranslation()
  const isOver = useRef(false)
  const found = useCall(call, input, { staleTime: 0, refetchInterval: () => (isOver.current ? false : everyMs) })
  const job: JobView = found.data ? read(found.data) : { state: 'waiting', percent: null }
  const { state } = job
  isOver.current = state === 'done' || state === 'failed'

  const finish = useEffectEvent(() => onDone?.())
  useEffect(() => {
    if (state === 'done') finish()
  }, [state])

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <ProgressBar
      label={label}
      value={job.percent ?? 0}
      status={state === 'done' ? 'success' : state === 'failed' ? 'error' : 'in-progress'}
      additionalInfo={isOver.current ? undefined : (job.text ?? t(`job.${state}`))}
      resultText={job.text ?? t(`job.${state}`)}
    />
  )
}
