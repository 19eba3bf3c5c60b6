import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordFault } from '../../rules.ts'
import { passwordApi } from '../session-calls.ts'
import { PasswordField } from './PasswordField.tsx'
import { Told } from './Told.tsx'
import { useToken } from './use-token.ts'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

export default function ResetPage() {
  const { t } = useTranslation('ground/session')
  const token = useToken()
  const [loginName, setLoginName] = useState<string | null>(null)
  if (!token) {
    return (
      <VisitorFrame>
        <Told title={t('link.none')} text={t('link.noneText')} />
      </VisitorFrame>
    )
  }
  return (
    <VisitorFrame>
      {loginName !== null ? (
        <Told title={t('reset.done')} text={t('reset.doneText', { loginName })} />
      ) : (
        <VisitorForm
          title={t('reset.title')}
          submitLabel={t('reset.go')}
          check={field => {
            const fault = passwordFault(field('password'))
            return fault && t(`passwordFaults.${fault}`)
          }}
          submit={async field => {
            const done = await passwordApi.resetPassword({ body: { token, password: field('password') } })
            setLoginName(done.loginName)
          }}
          after={<p className="sign-in-help">{t('reset.help')}</p>}
        >
          <PasswordField kind="new" />
        </VisitorForm>
      )}
    </VisitorFrame>
  )
}
