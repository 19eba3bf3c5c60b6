import { useTranslation } from 'react-i18next'

interface ToldProps {
  title: string
  text: string
  /** Where the sign-in form is on this page already. */
  onBack?: () => void
}

/** What was done, and the way back to sign-in. */
export function Told({ title, text, onBack }: ToldProps) {
  const { t } = useTranslation('ground/session')
  return (
    <div className="sign-in-form" role="status">
      <h1>{title}</h1>
      <p className="sign-in-told">{text}</p>
      <p className="sign-in-help">
        {onBack ? (
          <button type="button" className="sign-in-link" onClick={onBack}>
            {t('signIn.toSignIn')}
          </button>
        ) : (
          <a href="#/sign-in">{t('signIn.toSignIn')}</a>
        )}
      </p>
    </div>
  )
}
