import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../../../console/language.ts'
import { addressIn } from '../../rules.ts'
import { accountApi } from '../session-calls.ts'
import { PlainField } from './PlainField.tsx'
import { Told } from './Told.tsx'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

export default function SignUpPage() {
  const { t, i18n } = useTranslation('ground/session')
  const [email, setEmail] = useState<string | null>(null)
  const language = i18n.resolvedLanguage as Language
  return (
    <VisitorFrame>
      {email !== null ? (
        <Told title={t('signUp.sent')} text={t('signUp.sentText', { email })} />
      ) : (
        <VisitorForm
          title={t('signUp.title')}
          submitLabel={t('signUp.start')}
          check={field => (addressIn(field('email').trim()) ? null : t('signUp.emailNeeded'))}
          submit={async field => {
            const typed = field('email').trim()
            await accountApi.startSignUp({ body: { email: typed, language } })
            setEmail(typed)
          }}
          after={
            <p className="sign-in-help">
              <a href="#/sign-in">{t('signIn.toSignIn')}</a>
            </p>
          }
        >
          <PlainField name="email" label={t('signUp.email')} type="email" autoComplete="email" maxLength={254} />
        </VisitorForm>
      )}
    </VisitorFrame>
  )
}
