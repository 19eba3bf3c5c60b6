import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { type Invitation, testerApi } from '../store-calls.ts'
import { refusalOf } from './refusal.ts'

interface AnswerCardProps {
  view: Invitation
  token: string
  /** With the secret to go on with. */
  onToken: (token: string) => void
}

/** Yes or no to an invitation; or the answer to the mail that somebody asked for himself. */
export function AnswerCard({ view, token, onToken }: AnswerCardProps) {
  const { t } = useTranslation('distribute/store')
  const { kind, appName, address, expiresAt, state } = view
  const onDone = ({ token: next }: { token: string }) => onToken(next)
  const stale = { invalidates: [testerApi.viewInvitation], errors: 'form' as const }
  const accept = useAction(testerApi.acceptInvitation, { ...stale, onDone })
  const confirm = useAction(testerApi.confirmJoin, { ...stale, onDone })
  const decline = useAction(testerApi.declineInvitation, stale)
  const isMail = kind === 'mail'
  const error = accept.error ?? confirm.error ?? decline.error
  const body = { token }
  return (
    <>
      <header>
        <h1>{t(isMail ? 'openTest.confirm' : 'openTest.invited', { name: appName })}</h1>
        <p className="open-test-lead">
          {isMail ? t('openTest.confirmText', { address }) : t('openTest.invitedText', { name: appName })}
        </p>
      </header>
      <section className="open-test-card">
        {!isMail && <p>{t('openTest.for', { address })}</p>}
        {expiresAt !== null && (
          <p className="open-test-soft">
            {t('openTest.until')} <When at={expiresAt} />
          </p>
        )}
        {state === 'DECLINED' && <p role="status">{t('openTest.declined')}</p>}
        <button
          type="button"
          className="open-test-button"
          data-action={isMail ? 'confirm' : 'accept'}
          disabled={accept.isRunning || confirm.isRunning}
          onClick={() => void (isMail ? confirm : accept).run({ body })}
        >
          {t(isMail ? 'openTest.confirmIt' : 'openTest.yes')}
        </button>
        {!isMail && state !== 'DECLINED' && (
          <button
            type="button"
            className="open-test-quiet"
            data-action="decline"
            disabled={decline.isRunning}
            onClick={() => void decline.run({ body })}
          >
            {t('openTest.no')}
          </button>
        )}
        {error && <p role="alert">{refusalOf(t, error)}</p>}
      </section>
    </>
  )
}
