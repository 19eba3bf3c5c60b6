import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { session } from '../../contract.ts'
import { api } from '../session-calls.ts'
import { type Leaving, leavingOf } from './KeepAccount.tsx'
import { PlainField } from './PlainField.tsx'
import { VisitorForm } from './VisitorForm.tsx'

type Options = Answer<(typeof session)['calls']['secondFactorOptions']>

interface SecondStepProps {
  ticket: string
  onDone: () => void
  onBack: () => void
  onLeaving: (leaving: Leaving) => void
}

/** The code of an authenticator app, a recovery code, or a passkey. */
export function SecondStep({ ticket, onDone, onBack, onLeaving }: SecondStepProps) {
  const { t } = useTranslation('ground/session')
  const [options, setOptions] = useState<Options | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    api.secondFactorOptions({ body: { ticket } }).then(setOptions, error => setProblem(errorText(error)))
  }, [ticket])

  const withPasskey = async () => {
    setProblem(null)
    try {
      const { answerWithPasskey } = await import('../passkey.ts')
      const passkey = await answerWithPasskey(options?.passkey)
      if (!passkey) return
      await api.secondFactor({ body: { ticket, passkey } })
      onDone()
    } catch (error) {
      const leaving = leavingOf(error)
      if (leaving) onLeaving(leaving)
      else setProblem(errorText(error))
    }
  }
  const codeLabel = options?.hasAuthenticator === false ? t('step.recovery') : t('step.code')
  return (
    <VisitorForm
      key={problem}
      title={t('step.title')}
      submitLabel={t('step.go')}
      problem={problem}
      check={field => (field('code').trim().length < 6 ? t('step.codeNeeded') : null)}
      submit={async field => {
        try {
          await api.secondFactor({ body: { ticket, code: field('code').trim() } })
        } catch (error) {
          const leaving = leavingOf(error)
          if (!leaving) throw error
          return onLeaving(leaving)
        }
        onDone()
      }}
      after={
        <>
          {options?.hasPasskeys && (
            <div className="sign-in-ways">
              <p className="sign-in-or">{t('signIn.or')}</p>
              <button type="button" className="sign-in-way" data-action="passkey" onClick={() => void withPasskey()}>
                {t('step.passkey')}
              </button>
            </div>
          )}
          <p className="sign-in-help">
            <span>{t('step.lost')}</span>
            <button type="button" className="sign-in-link" onClick={onBack}>
              {t('step.back')}
            </button>
          </p>
        </>
      }
    >
      <PlainField name="code" label={codeLabel} autoComplete="one-time-code" maxLength={20} />
    </VisitorForm>
  )
}
