import { useTranslation } from 'react-i18next'

/** What was done, and the way back to sign-in. */
export function Told({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('ground/session')
  return (
    <div className="sign-in-form" role="status">
      <h1>{title}</h1>
      <p className="sign-in-told">{text}</p>
      <p className="sign-in-help">
        <a href="#/sign-in">{t('signIn.toSignIn')}</a>
      </p>
    </div>
  )
}
