import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { session } from '../../contract.ts'
import { api, providerApi } from '../session-calls.ts'
import { type Leaving, leavingOf } from './KeepAccount.tsx'
import { visitorError } from './VisitorForm.tsx'

type Options = Answer<(typeof session)['calls']['signInOptions']>

interface OtherWaysProps {
  onDone: () => void
  onLeaving: (leaving: Leaving) => void
}

/** Passkey, providers, and the ways to a password or an account. */
export function OtherWays({ onDone, onLeaving }: OtherWaysProps) {
  const { t } = useTranslation('ground/session')
  const [options, setOptions] = useState<Options | null>(null)
  const [error, setError] = useState<string | null>(null)
  const hasPasskeys = 'PublicKeyCredential' in window

  useEffect(() => {
    api.signInOptions({}).then(setOptions, () => setOptions(null))
  }, [])

  const act = async (work: () => Promise<void>) => {
    setError(null)
    await work().catch(refusal => {
      const leaving = leavingOf(refusal)
      if (leaving) onLeaving(leaving)
      else setError(visitorError(refusal, t('signIn.serverDown'), () => ''))
    })
  }
  const withPasskey = () =>
    act(async () => {
      const { ticket, passkey: question } = await api.passkeyOptions({})
      const { answerWithPasskey } = await import('../passkey.ts')
      const passkey = await answerWithPasskey(question)
      if (!passkey) return
      await api.passkeyLogin({ body: { ticket, passkey } })
      onDone()
    })
  const withProvider = (providerId: string) =>
    act(async () => location.assign((await providerApi.startProvider({ body: { providerId } })).url))

  return (
    <>
      {error && (
        <p className="sign-in-error sign-in-error-below" role="alert">
          {error}
        </p>
      )}
      {(hasPasskeys || (options?.providers.length ?? 0) > 0) && (
        <div className="sign-in-ways">
          <p className="sign-in-or">{t('signIn.or')}</p>
          {hasPasskeys && (
            <button type="button" className="sign-in-way" data-action="passkey" onClick={() => void withPasskey()}>
              {t('signIn.passkey')}
            </button>
          )}
          {options?.providers.map(one => (
            <button
              key={one.providerId}
              type="button"
              className="sign-in-way"
              data-action="provider"
              onClick={() => void withProvider(one.providerId)}
            >
              {t('signIn.provider', { name: one.name })}
            </button>
          ))}
        </div>
      )}
      <p className="sign-in-help">
        <a href="#/forgotten">{t('signIn.forgotten')}</a>
        {options?.hasDemo && (
          <a href="#/demoProject" data-action="demo">
            {t('signIn.demo')}
          </a>
        )}
        {options?.needsSetUp && <span>{t('signIn.needsSetUp')}</span>}
        {options?.maySignUp ? <a href="#/sign-up">{t('signIn.signUp')}</a> : <span>{t('signIn.help')}</span>}
      </p>
    </>
  )
}
