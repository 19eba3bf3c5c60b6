import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordApi } from '../session-calls.ts'
import { PlainField } from './PlainField.tsx'
import { Told } from './Told.tsx'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

export default function ForgottenPage() {
  const { t } = useTranslation('ground/session')
  const [isSent, setSent] = useState(false)
  return (
    <VisitorFrame>
      {isSent ? (
        <Told title={t('forgotten.sent')} text={t('forgotten.sentText')} />
      ) : (
        <VisitorForm
          title={t('forgotten.title')}
          submitLabel={t('forgotten.go')}
          check={field => (field('account').trim() ? null : t('forgotten.needed'))}
          submit={async field => {
            await passwordApi.forgotPassword({ body: { account: field('account').trim() } })
            setSent(true)
          }}
          after={
            <p className="sign-in-help">
              <a href="#/sign-in">{t('signIn.toSignIn')}</a>
            </p>
          }
        >
          <p className="sign-in-told">{t('forgotten.text')}</p>
          <PlainField name="account" label={t('signIn.account')} autoComplete="username" maxLength={254} />
        </VisitorForm>
      )}
    </VisitorFrame>
  )
}
