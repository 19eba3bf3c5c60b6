import {
  type ItemState,
  isThreadOpen,
  type Queue,
  type SubmissionState,
  type TaskState,
  type Verdict,
} from '../rules.ts'

interface Looked {
  state: TaskState
  queue: Queue
  verdict: Exclude<Verdict, 'ASK'> | null
}

/** Whether a rejection may be appealed from: the version is as it was rejected, and the rejection is not itself the answer to an appeal. */
export function canAppeal(
  item: { kind: string; state: ItemState },
  of: SubmissionState,
  task: Looked | undefined,
  versionState: string | undefined,
): boolean {
  return (
    item.kind === 'VERSION' &&
    item.state === 'REJECTED' &&
    isThreadOpen(of) &&
    task?.state === 'DECIDED' &&
    task.verdict === 'REJECT' &&
    task.queue !== 'APPEAL' &&
    versionState === 'REJECTED'
  )
}

/** Whether a look of the store may be asked to come sooner: one that waits its usual turn. */
export function canExpedite(task: Looked | undefined): boolean {
  return task?.state === 'QUEUED' && (task.queue === 'FIRST' || task.queue === 'UPDATE')
}
