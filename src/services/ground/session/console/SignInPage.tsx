import './sign-in.css'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { LanguageLinks } from '../../../../console/LanguageLinks.tsx'
import { returnAddress } from '../../../../console/session.ts'
import { loginDefaults } from '../../../../kernel/wire.ts'
import { Arcade } from './Arcade.tsx'
import { PasswordField } from './PasswordField.tsx'
import { api } from './session-calls.ts'

/** Plain HTML on purpose: the first thing anybody loads carries no component library. */
export default function SignInPage() {
  const { t } = useTranslation('ground/session')
  const { history } = useRouter()
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const alert = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    if (error !== null) alert.current?.focus()
  }, [error])

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const account = String(form.get('account') ?? '').trim()
    const password = String(form.get('password') ?? '')
    if (!account || !password) return setError(t('signIn.bothNeeded'))
    setBusy(true)
    setError(null)
    try {
      await api.login({ body: { account, password, ...loginDefaults } })
      history.push(returnAddress.take().slice(1))
    } catch (refusal) {
      setError(isCallError(refusal) && refusal.status >= 500 ? t('signIn.serverDown') : errorText(refusal))
      setBusy(false)
    }
  }

  return (
    <div className="sign-in">
      <header className="sign-in-side">
        <p className="sign-in-name">Loggia</p>
        <p className="sign-in-line">{t('signIn.line')}</p>
        <Arcade />
      </header>
      <main className="sign-in-main" id="page" tabIndex={-1}>
        <form className="sign-in-form" onSubmit={signIn} noValidate aria-busy={isBusy}>
          <h1>{t('signIn.title')}</h1>
          {error && (
            <p className="sign-in-error" role="alert" tabIndex={-1} ref={alert}>
              {error}
            </p>
          )}
          <label htmlFor="account">{t('signIn.account')}</label>
          <input
            id="account"
            name="account"
            type="text"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
          />
          <PasswordField />
          <button type="submit" className="sign-in-go" disabled={isBusy}>
            {isBusy ? t('signIn.busy') : t('signIn.go')}
          </button>
          <p className="sign-in-help">{t('signIn.help')}</p>
        </form>
        <LanguageLinks />
      </main>
    </div>
  )
}
