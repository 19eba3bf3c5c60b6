import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { developerSupport } from '../contract.ts'
import { api } from './contact-calls.ts'

interface AddContactProps {
  /** A code is on its way to this address. */
  onSent: (address: string) => void
  onClose: () => void
}

/** Names an address, to which a code goes at once. */
export function AddContact({ onSent, onClose }: AddContactProps) {
  const { t } = useTranslation('ground/developer-support')
  const form = useContractForm(developerSupport.calls.verifyContact.body, { address: '' })
  const add = useAction(api.verifyContact, { errors: 'form', onDone: ({ address }) => onSent(address) })
  return (
    <Modal visible header={t('add.title')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={add}
        submit={({ address }) => add.run({ body: { address: address.trim() } })}
        submitLabel={t('add.send')}
        onCancel={onClose}
      >
        <TextField
          of={form}
          name="address"
          label={t('address')}
          hint={t('add.hint')}
          type="email"
          inputMode="email"
          placeholder="support@example.com"
        />
      </ContractFormBox>
    </Modal>
  )
}
