import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../../../console/language.ts'
import { passwordFault } from '../../rules.ts'
import { accountApi } from '../session-calls.ts'
import { PasswordField } from './PasswordField.tsx'
import { PlainField } from './PlainField.tsx'
import { Told } from './Told.tsx'
import { useToken } from './use-token.ts'
import { VisitorForm } from './VisitorForm.tsx'
import { VisitorFrame } from './VisitorFrame.tsx'

/** An account from a link: of the mail of a sign-up, or of the log of an empty installation. */
export default function NewAccountPage() {
  const { t, i18n } = useTranslation('ground/session')
  const token = useToken()
  const isFirst = useLocation().pathname === '/set-up'
  const [loginName, setLoginName] = useState<string | null>(null)
  const language = i18n.resolvedLanguage as Language

  const make = async (field: (name: string) => string) => {
    const body = { token, name: field('name').trim(), password: field('password') }
    const email = field('email').trim()
    const made = isFirst
      ? await accountApi.setUp({ body: { ...body, loginName: field('loginName').trim(), ...(email && { email }) } })
      : await accountApi.signUp({ body: { ...body, language } })
    setLoginName(made.loginName)
  }
  const check = (field: (name: string) => string) => {
    if (!field('name').trim() || (isFirst && !field('loginName').trim())) return t('newAccount.needed')
    const fault = passwordFault(field('password'), [field('name'), field('loginName')])
    return fault && t(`passwordFaults.${fault}`)
  }
  return (
    <VisitorFrame>
      {loginName !== null ? (
        <Told title={t('newAccount.done')} text={t('newAccount.doneText', { loginName })} />
      ) : !token ? (
        <Told title={t('link.none')} text={t(isFirst ? 'link.noSetUpText' : 'link.noneText')} />
      ) : (
        <VisitorForm
          title={t(isFirst ? 'setUp.title' : 'signUp.finish')}
          submitLabel={t(isFirst ? 'setUp.go' : 'signUp.go')}
          check={check}
          submit={make}
        >
          {isFirst && <p className="sign-in-told">{t('setUp.text')}</p>}
          {isFirst && (
            <PlainField name="loginName" label={t('setUp.loginName')} autoComplete="username" maxLength={100} />
          )}
          <PlainField name="name" label={t('profile.name')} autoComplete="name" maxLength={64} />
          {isFirst && (
            <PlainField
              name="email"
              label={t('setUp.email')}
              type="email"
              autoComplete="email"
              maxLength={254}
              isOptional
            />
          )}
          <PasswordField kind="new" />
        </VisitorForm>
      )}
    </VisitorFrame>
  )
}
