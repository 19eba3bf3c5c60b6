import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ProvidersOnlyProps {
  problem: string | null
  /** What is told first. */
  told: ReactNode
  /** The ways that are left. */
  ways: ReactNode
  onStaff: () => void
}

/** Where the console's own sign-in is switched off: the providers, and a small way in for staff. */
export function ProvidersOnly({ problem, told, ways, onStaff }: ProvidersOnlyProps) {
  const { t } = useTranslation('ground/session')
  return (
    <div className="sign-in-form">
      <h1>{t('signIn.title')}</h1>
      {problem && (
        <p className="sign-in-error" role="alert">
          {problem}
        </p>
      )}
      {told}
      {ways}
      <p className="sign-in-help">
        <button type="button" className="sign-in-link" data-action="staff" onClick={onStaff}>
          {t('signIn.staff')}
        </button>
      </p>
    </div>
  )
}
