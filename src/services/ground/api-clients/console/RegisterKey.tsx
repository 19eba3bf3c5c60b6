import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { clientKeyCalls } from '../keys/contract.ts'
import { clientKeyApi } from './client-calls.ts'

export function RegisterKey({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useTranslation('ground/api-clients')
  const form = useContractForm(clientKeyCalls.calls.registerPublicKey.body, { clientId, name: '', publicKey: '' })
  const register = useAction(clientKeyApi.registerPublicKey, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('keys.register')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={register}
        submit={body => register.run({ body })}
        submitLabel={t('keys.register')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('list.name')} hint={t('keys.nameHint')} />
        <TextAreaField of={form} name="publicKey" label={t('keys.publicKey')} hint={t('keys.publicKeyHint')} rows={8} />
      </ContractFormBox>
    </Modal>
  )
}
