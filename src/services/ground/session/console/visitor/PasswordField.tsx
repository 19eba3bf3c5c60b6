import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordLength } from '../../rules.ts'

interface PasswordFieldProps {
  /** `new` for one that is chosen here. */
  kind?: 'current' | 'new'
  label?: string
}

/** A password with a button that shows it: typing blind is where most sign-ins fail. */
export function PasswordField({ kind = 'current', label }: PasswordFieldProps) {
  const { t } = useTranslation('ground/session')
  const [isShown, setShown] = useState(false)
  const hint = kind === 'new' ? { 'aria-describedby': 'password-hint' } : {}
  return (
    <>
      <label htmlFor="password">{label ?? t(kind === 'new' ? 'password.new' : 'signIn.password')}</label>
      <div className="sign-in-password">
        <input
          id="password"
          name="password"
          type={isShown ? 'text' : 'password'}
          autoComplete={`${kind}-password`}
          maxLength={256}
          required
          {...hint}
        />
        <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t('signIn.hide') : t('signIn.show')}
        </button>
      </div>
      {kind === 'new' && (
        <p id="password-hint" className="sign-in-hint">
          {t('password.hint', { min: passwordLength.min })}
        </p>
      )}
    </>
  )
}
