import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ProgressOfJob } from '../../../../console/kit/ProgressOfJob.tsx'
import { queryClient, useCall } from '../../../../console/use-call.ts'
import { taskCalls } from './package-calls.ts'

interface TaskProgressProps {
  taskId: string
  label: string
  /** Whether the package was taken; told once. */
  onEnd?: (isTaken: boolean) => void
}

/** How far the reading of a package is, step by step; when it is over, what the pages know of packages is read anew. */
export function TaskProgress({ taskId, label, onEnd }: TaskProgressProps) {
  const { t } = useTranslation('distribute/packages')
  const input = { query: { taskId } }
  const { data } = useCall(taskCalls.getPackageTask, input, { enabled: false })
  const isOver = data !== undefined && data.state !== 'queued' && data.state !== 'running'
  const isTaken = data?.processState === 'READY'

  const end = useEffectEvent(() => {
    void queryClient.invalidateQueries({ queryKey: [taskCalls.getPackageTask.service] })
    onEnd?.(isTaken)
  })
  useEffect(() => {
    if (isOver) end()
  }, [isOver])

  return (
    <ProgressOfJob
      label={label}
      call={taskCalls.getPackageTask}
      input={input}
      everyMs={700}
      read={task => {
        if (task.state === 'queued') return { state: 'waiting', percent: 0 }
        if (task.state === 'running') {
          return { state: 'running', percent: task.percent, text: t(`steps.${task.step ?? 'archive'}`) }
        }
        const isDone = task.state === 'done' && task.processState === 'READY'
        return { state: isDone ? 'done' : 'failed', percent: 100 }
      }}
    />
  )
}
