import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../../../../console/use-call.ts'
import { limits } from '../../rules.ts'
import { desk } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

const heartbeatMs = limits.leaseMs / 10

function inMinutes(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Counts the lease down, and renews it while this page is open. Lost leases bring the task as it is now. */
export function LeaseClock({ taskId, expiresAt }: { taskId: string; expiresAt: number }) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const [until, setUntil] = useState(expiresAt)
  const [now, setNow] = useState(() => Date.now())
  const reload = () => void queryClient.invalidateQueries({ queryKey: [desk.getTask.service] })
  const beat = useEffectEvent(() =>
    desk.keepTask({ body: { taskId } }, at).then(kept => setUntil(kept.claimExpiresAt), reload),
  )
  useEffect(() => {
    const second = setInterval(() => setNow(Date.now()), 1000)
    const renewal = setInterval(() => void beat(), heartbeatMs)
    return () => {
      clearInterval(second)
      clearInterval(renewal)
    }
  }, [])
  useEffect(() => setUntil(expiresAt), [expiresAt])
  const left = until - now
  return (
    <div data-lease={until}>
      <div className="review-lease" role="timer" aria-label={t('claim.left')}>
        {inMinutes(left)}
      </div>
      <span className="lg-soft">{t('claim.renewed', { minutes: heartbeatMs / 60_000 })}</span>
    </div>
  )
}
