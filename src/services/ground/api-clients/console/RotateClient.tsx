import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { apiClients } from '../contract.ts'
import { type ClientView, callsOf, type Whose } from './client-calls.ts'
import { credentialFile } from './credential-file.ts'
import { SecretOnce } from './SecretOnce.tsx'

export function RotateClient({ whose, client, onClose }: { whose: Whose; client: ClientView; onClose: () => void }) {
  const { t } = useTranslation('ground/api-clients')
  const [secret, setSecret] = useState<string | null>(null)
  const { clientId, revision, name } = client
  const form = useContractForm(apiClients.calls.updateClient.body, { clientId, revision, overlapHours: 24 })
  const rotate = useAction(callsOf[whose].update, {
    errors: 'form',
    onDone: answer => setSecret(answer.clientSecret),
  })
  if (secret !== null) {
    const file = credentialFile(client, secret)
    return <SecretOnce title={t('secret.titleOf', { name })} secret={secret} file={file} onClose={onClose} />
  }
  return (
    <Modal visible header={t('actions.rotate')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={rotate}
        submit={({ overlapHours }) =>
          rotate.run({
            body: { clientId, revision, action: 'rotate', ...(overlapHours !== undefined && { overlapHours }) },
          })
        }
        submitLabel={t('actions.rotate')}
        onCancel={onClose}
      >
        <TextField
          of={form}
          name="overlapHours"
          type="number"
          label={t('rotate.overlap')}
          hint={t('rotate.overlapHint')}
        />
      </ContractFormBox>
    </Modal>
  )
}
