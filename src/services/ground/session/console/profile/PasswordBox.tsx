import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { PasswordChange, passwordCalls } from '../../passwords/contract.ts'
import { passwordFault, passwordLength } from '../../rules.ts'
import { passwordApi } from '../session-calls.ts'

export function PasswordBox({ hasPassword, changedAt }: { hasPassword: boolean; changedAt: number }) {
  const { t } = useTranslation('ground/session')
  const [isOpen, setOpen] = useState(false)
  const verb = t(hasPassword ? 'password.change' : 'password.set')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t(hasPassword ? 'password.text' : 'password.noneText')}
          actions={
            <Button data-action="password" onClick={() => setOpen(true)}>
              {verb}
            </Button>
          }
        >
          {t('signIn.password')}
        </Header>
      }
    >
      {hasPassword && changedAt > 0 ? (
        <span>
          {t('password.changed')} <When at={changedAt} show="both" />
        </span>
      ) : (
        <span className="lg-soft">{t(hasPassword ? 'password.neverChanged' : 'password.none')}</span>
      )}
      {isOpen && <ChangePassword hasPassword={hasPassword} verb={verb} onClose={() => setOpen(false)} />}
    </Container>
  )
}

function ChangePassword({ hasPassword, verb, onClose }: { hasPassword: boolean; verb: string; onClose: () => void }) {
  const { t } = useTranslation('ground/session')
  const form = useContractForm(hasPassword ? PasswordChange : passwordCalls.calls.changePassword.body, {
    current: '',
    password: '',
  })
  const change = useAction(passwordApi.changePassword, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('password.done') })
      onClose()
    },
  })
  const submit = (body: { current?: string; password: string }) => {
    const fault = passwordFault(body.password)
    if (fault) return form.form.setError('password', { message: t(`passwordFaults.${fault}`) })
    return change.run({ body })
  }
  return (
    <Modal visible header={verb} onDismiss={onClose}>
      <ContractFormBox of={form} action={change} submit={submit} submitLabel={verb} onCancel={onClose}>
        {hasPassword && <TextField of={form} name="current" label={t('password.current')} type="password" />}
        <TextField
          of={form}
          name="password"
          label={t('password.new')}
          hint={t('password.hint', { min: passwordLength.min })}
          type="password"
        />
      </ContractFormBox>
    </Modal>
  )
}
