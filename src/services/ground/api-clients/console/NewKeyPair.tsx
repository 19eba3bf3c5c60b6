import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { clientKeyCalls } from '../keys/contract.ts'
import { clientKeyApi } from './client-calls.ts'
import { SecretOnce } from './SecretOnce.tsx'

type Credential = Answer<typeof clientKeyCalls.calls.createKeyPair>['credential']

export function NewKeyPair({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useTranslation('ground/api-clients')
  const [made, setMade] = useState<Credential | null>(null)
  const form = useContractForm(clientKeyCalls.calls.createKeyPair.body, { clientId, name: '', algorithm: 'ES256' })
  const create = useAction(clientKeyApi.createKeyPair, {
    errors: 'form',
    onDone: answer => setMade(answer.credential),
  })
  if (made) {
    const file = { name: `client-${clientId}-key.json`, content: made }
    return <SecretOnce title={t('keys.made')} secret={made.privateKey} file={file} onClose={onClose} />
  }
  return (
    <Modal visible header={t('keys.create')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={create}
        submit={body => create.run({ body })}
        submitLabel={t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('list.name')} hint={t('keys.nameHint')} />
        <SelectField
          of={form}
          name="algorithm"
          label={t('keys.algorithm')}
          options={[
            { value: 'ES256', label: 'ES256', description: t('keys.es256') },
            { value: 'RS256', label: 'RS256', description: t('keys.rs256') },
          ]}
        />
      </ContractFormBox>
    </Modal>
  )
}
