import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { invitations } from '../invitations/contract.ts'
import { invitationApi } from './team-calls.ts'

interface NewcomerFormProps {
  token: string
  onCancel: () => void
}

/** Makes the account of who was invited and has none. */
export function NewcomerForm({ token, onCancel }: NewcomerFormProps) {
  const { t } = useTranslation('ground/teams')
  const go = useGo()
  const form = useContractForm(invitations.calls.acceptWithNewAccount.body, { token, name: '', password: '' })
  const act = useAction(invitationApi.acceptWithNewAccount, {
    errors: 'form',
    onDone: ({ teamName, loginName }) => {
      notify({ tone: 'success', text: t('invited.joined', { team: teamName, account: loginName }) })
      go('/sign-in')
    },
  })
  return (
    <ContractFormBox
      of={form}
      action={act}
      submit={body => act.run({ body })}
      submitLabel={t('invited.join')}
      onCancel={onCancel}
    >
      <TextField of={form} name="name" label={t('invited.name')} />
      <TextField
        of={form}
        name="password"
        type="password"
        label={t('invited.password')}
        hint={t('invited.passwordHint')}
      />
    </ContractFormBox>
  )
}
