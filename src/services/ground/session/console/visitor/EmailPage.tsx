import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountApi } from '../session-calls.ts'
import { Told } from './Told.tsx'
import { useToken } from './use-token.ts'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

/** A press is asked for: programs that look into mails follow links as well. */
export default function EmailPage() {
  const { t } = useTranslation('ground/session')
  const token = useToken()
  const [email, setEmail] = useState<string | null>(null)
  return (
    <VisitorFrame>
      {email !== null ? (
        <Told title={t('email.done')} text={t('email.doneText', { email })} />
      ) : token ? (
        <VisitorForm
          title={t('email.title')}
          submitLabel={t('email.go')}
          submit={async () => setEmail((await accountApi.confirmEmail({ body: { token } })).email)}
        >
          <p className="sign-in-told">{t('email.text')}</p>
        </VisitorForm>
      ) : (
        <Told title={t('link.none')} text={t('link.noneText')} />
      )}
    </VisitorFrame>
  )
}
