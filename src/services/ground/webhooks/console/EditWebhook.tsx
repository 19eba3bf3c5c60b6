import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { webhooks } from '../contract.ts'
import { EventChoice } from './EventChoice.tsx'
import { SecretOnce } from './SecretOnce.tsx'
import { api, type EndpointView } from './webhook-calls.ts'

/** Changes a webhook. Another address gets another secret, which is shown here and never again. */
export function EditWebhook({ endpoint, onClose }: { endpoint: EndpointView; onClose: () => void }) {
  const { t } = useTranslation('ground/webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const { endpointId, name, url, eventTypes, revision } = endpoint
  const form = useContractForm(webhooks.calls.updateEndpoint.body, { name, url, eventTypes, revision })
  const save = useAction(api.updateEndpoint, {
    errors: 'form',
    onDone: saved => {
      if (saved.secret !== null) return setSecret(saved.secret)
      notify({ tone: 'success', text: t('form.saved', { name: saved.endpoint.name }) })
      onClose()
    },
  })
  if (secret !== null) return <SecretOnce secret={secret} onClose={onClose} />
  return (
    <Modal visible header={t('form.edit')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={save}
        submit={body => save.run({ params: { endpointId }, body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('form.name')} />
        <TextField of={form} name="url" label={t('form.url')} hint={t('form.urlHint')} />
        {form.form.watch('url') !== url && <Alert type="info">{t('form.newSecret')}</Alert>}
        <FormField of={form} name="eventTypes" label={t('form.events')} hint={t('form.eventsHint')}>
          {field => <EventChoice chosen={field.value as string[]} onChange={field.onChange} />}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
