import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { webhooks } from '../contract.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { api, type EndpointView } from './webhook-calls.ts'

export function RotateSecret({ endpoint, onClose }: { endpoint: EndpointView; onClose: () => void }) {
  const { t } = useTranslation('ground/webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const { endpointId, revision } = endpoint
  const form = useContractForm(webhooks.calls.rotateSecret.body, { overlapHours: 24, revision })
  const rotate = useAction(api.rotateSecret, { errors: 'form', onDone: made => setSecret(made.secret) })
  if (secret !== null) return <SecretOnce secret={secret} onClose={onClose} />
  return (
    <Modal visible header={t('secret.rotate')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={rotate}
        submit={body => rotate.run({ params: { endpointId }, body })}
        submitLabel={t('secret.rotate')}
        onCancel={onClose}
      >
        <TextField
          of={form}
          name="overlapHours"
          type="number"
          label={t('secret.overlap')}
          hint={t('secret.overlapHint')}
        />
      </ContractFormBox>
    </Modal>
  )
}
