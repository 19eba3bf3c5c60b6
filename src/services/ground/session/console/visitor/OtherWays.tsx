import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldText } from '../../../../../console/refusal-text.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { session } from '../../contract.ts'
import type { ShownAs } from '../../own-sign-in/rules.ts'
import { api, providerApi } from '../session-calls.ts'
import { type Leaving, leavingOf } from './KeepAccount.tsx'
import type { OwnSignIn } from './use-own-sign-in.ts'
import { visitorError } from './VisitorForm.tsx'

type Options = Answer<(typeof session)['calls']['signInOptions']>

interface OtherWaysProps {
  /** Whose accounts the page takes itself; a passkey is a way of its own too. */
  own: OwnSignIn
  said: ShownAs
  onDone: () => void
  onLeaving: (leaving: Leaving) => void
}

/** Passkey, providers, and the ways to a password or an account. */
export function OtherWays({ own, said, onDone, onLeaving }: OtherWaysProps) {
  const { t } = useTranslation('ground/session')
  const [options, setOptions] = useState<Options | null>(null)
  const [error, setError] = useState<string | null>(null)
  const hasProviders = (options?.providers.length ?? 0) > 0
  const hasPasskeys = own !== 'none' && 'PublicKeyCredential' in window

  useEffect(() => {
    api.signInOptions({}).then(setOptions, () => setOptions(null))
  }, [])

  const act = async (work: () => Promise<void>) => {
    setError(null)
    await work().catch(refusal => {
      const leaving = leavingOf(refusal)
      if (leaving) onLeaving(leaving)
      else setError(visitorError(refusal, t('signIn.serverDown'), fieldText))
    })
  }
  const withPasskey = () =>
    act(async () => {
      const { ticket, passkey: question } = await api.passkeyOptions({})
      const { answerWithPasskey } = await import('../passkey.ts')
      const passkey = await answerWithPasskey(question)
      if (!passkey) return
      await api.passkeyLogin({ body: { ticket, passkey, shownAs: said } })
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
      {own === 'none' && hasProviders && <p className="sign-in-told">{t('signIn.providersOnly')}</p>}
      {(hasPasskeys || hasProviders) && (
        <div className="sign-in-ways">
          {own !== 'none' && <p className="sign-in-or">{t('signIn.or')}</p>}
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
        {own !== 'none' && <a href="#/forgotten">{t('signIn.forgotten')}</a>}
        {own === 'none' && options && !hasProviders && <span>{t('signIn.noProvider')}</span>}
        {options?.hasDemo && (
          <a href="#/demoProject" data-action="demo">
            {t('signIn.demo')}
          </a>
        )}
        {options?.needsSetUp && <span>{t('signIn.needsSetUp')}</span>}
        {own === 'all' && options?.maySignUp && <a href="#/sign-up">{t('signIn.signUp')}</a>}
        {own === 'all' && !options?.maySignUp && <span>{t('signIn.help')}</span>}
      </p>
    </>
  )
}
