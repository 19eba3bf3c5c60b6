import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'

interface SlaClockProps {
  slaDueAt: number | null
  /** The clock stands since then. */
  pausedAt: number | null
  isShort?: boolean
}

/** When the store should have decided; says in words that the clock stands or has run out. */
export function SlaClock({ slaDueAt, pausedAt, isShort = false }: SlaClockProps) {
  const { t } = useTranslation('distribute/review')
  if (slaDueAt === null) return <>–</>
  const due = <When at={slaDueAt} show={isShort ? 'relative' : 'both'} />
  if (pausedAt !== null) {
    return (
      <>
        <StatusBadge tone="stopped" text={t('clock.paused')} />
        {!isShort && (
          <div className="lg-soft">
            {t('clock.since')} <When at={pausedAt} />
          </div>
        )}
      </>
    )
  }
  if (slaDueAt >= Date.now()) return due
  return (
    <>
      <StatusBadge tone="bad" text={t('clock.overdue')} /> <span className="lg-soft">{due}</span>
    </>
  )
}
