import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { session } from '../../contract.ts'
import { deletionApi } from '../session-calls.ts'
import { Told } from './Told.tsx'
import { VisitorForm } from './VisitorForm.tsx'

/** What a sign-in is answered with when the account is to be deleted and its owner may keep it. */
export interface Leaving {
  ticket: string
  /** Null where a provider sent the browser back: the address says no time. */
  erasesAt: number | null
}

/** Whether a refused sign-in is one that can be answered by keeping the account. */
export function leavingOf(refusal: unknown): Leaving | null {
  if (!isCallError(refusal) || refusal.number !== session.errors.accountLeaving[0]) return null
  const { ticket, erasesAt } = refusal.detail
  return typeof ticket === 'string' ? { ticket, erasesAt: typeof erasesAt === 'number' ? erasesAt : null } : null
}

/** Asks whether an account that is to be deleted is kept after all. */
export function KeepAccount({ leaving, onBack }: { leaving: Leaving; onBack: () => void }) {
  const { t } = useTranslation('ground/session')
  const [isKept, setKept] = useState(false)
  if (isKept) return <Told title={t('keep.done')} text={t('keep.doneText')} onBack={onBack} />
  return (
    <VisitorForm
      title={t('keep.title')}
      submitLabel={t('keep.go')}
      submit={async () => {
        await deletionApi.keepAccount({ body: { ticket: leaving.ticket } })
        setKept(true)
      }}
      after={
        <p className="sign-in-help">
          <button type="button" className="sign-in-link" onClick={onBack}>
            {t('keep.leave')}
          </button>
        </p>
      }
    >
      <p className="sign-in-told">
        {t('keep.text')}
        {leaving.erasesAt !== null && (
          <>
            {' '}
            {t('keep.until')} <When at={leaving.erasesAt} show="both" />
          </>
        )}
      </p>
    </VisitorForm>
  )
}
