import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { factorCalls } from '../../factors/contract.ts'
import { factorApi } from './profile-calls.ts'

interface RenamePasskeyProps {
  passkey: { credentialId: string; name: string }
  onClose: () => void
}

export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const { t } = useTranslation('ground/session')
  const { credentialId, name } = passkey
  const form = useContractForm(factorCalls.calls.renamePasskey.body, { credentialId, name })
  const rename = useAction(factorApi.renamePasskey, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('passkeys.renameTitle')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={rename}
        submit={body => rename.run({ body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('passkeys.name')} hint={t('passkeys.nameHint')} />
      </ContractFormBox>
    </Modal>
  )
}
