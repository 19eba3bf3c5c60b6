import { useEffect, useEffectEvent } from 'react'

/**
 * Tells of the end of each job that a page shows, once: also of one that was over before it was ever seen to run. What a job
 * changes may have been read before it did, in the same moment as its state was, so whoever shows it reads it again then.
 */
export function useEndOfJob(jobId: string | null | undefined, state: string | undefined, onEnd: () => void): void {
  const tell = useEffectEvent(onEnd)
  const isOver = state === 'done' || state === 'failed'
  useEffect(() => {
    if (jobId && isOver) tell()
  }, [jobId, isOver])
}
