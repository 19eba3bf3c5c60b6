import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { members } from '../members/contract.ts'
import { FirstPassword } from './FirstPassword.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { memberApi } from './team-calls.ts'

/** Adds somebody; an account that was made for it has a first password, which is told here and never again. */
export function AddMember({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/teams')
  const [made, setMade] = useState<{ loginName: string; password: string } | null>(null)
  const form = useContractForm(members.calls.addMember.body, { loginName: '', name: '', roles: ['developer'] })
  const act = useAction(memberApi.addMember, {
    errors: 'form',
    onDone: ({ member, firstPassword }) => {
      if (firstPassword !== null) return setMade({ loginName: member.loginName, password: firstPassword })
      notify({ tone: 'success', text: t('add.done', { name: member.name }) })
      onClose()
    },
  })
  if (made) return <FirstPassword {...made} onClose={onClose} />

  return (
    <Modal visible header={t('members.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body =>
          body.roles.length > 0
            ? act.run({ body })
            : form.form.setError('roles', { type: 'required', message: t('roleChoice.none') })
        }
        submitLabel={t('members.add')}
        onCancel={onClose}
      >
        <TextField of={form} name="loginName" label={t('add.loginName')} hint={t('add.loginNameHint')} />
        <TextField of={form} name="name" label={t('members.name')} />
        <FormField of={form} name="roles" label={t('members.roles')}>
          {field => <RoleChoice chosen={field.value as string[]} onChange={field.onChange} />}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
