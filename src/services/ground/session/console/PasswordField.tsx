import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A password with a button that shows it: typing blind is where most sign-ins fail. */
export function PasswordField() {
  const { t } = useTranslation('ground/session')
  const [isShown, setShown] = useState(false)
  return (
    <>
      <label htmlFor="password">{t('signIn.password')}</label>
      <div className="sign-in-password">
        <input
          id="password"
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          maxLength={256}
          required
        />
        <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t('signIn.hide') : t('signIn.show')}
        </button>
      </div>
    </>
  )
}
