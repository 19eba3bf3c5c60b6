import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { webhooks } from '../contract.ts'
import { EventChoice } from './EventChoice.tsx'
import { SecretOnce } from './SecretOnce.tsx'
import { api, projectsApi } from './webhook-calls.ts'

export function NewWebhook({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/webhooks')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useContractForm(webhooks.calls.createEndpoint.body, { name: '', url: '', projectId: '', eventTypes: [] })
  const create = useAction(api.createEndpoint, { errors: 'form', onDone: made => setSecret(made.secret) })
  const projects = useCall(projectsApi.listProjects, { query: { pageSize: 100 } })
  if (secret !== null) return <SecretOnce secret={secret} onClose={onClose} />
  return (
    <Modal visible header={t('list.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={create}
        submit={body => create.run({ body })}
        submitLabel={t('list.add')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('form.name')} hint={t('form.nameHint')} />
        <TextField of={form} name="url" label={t('form.url')} hint={t('form.urlHint')} placeholder="https://" />
        <FormField of={form} name="eventTypes" label={t('form.events')} hint={t('form.eventsHint')}>
          {field => <EventChoice chosen={field.value as string[]} onChange={field.onChange} />}
        </FormField>
        <SelectField
          of={form}
          name="projectId"
          label={t('form.project')}
          options={[
            { value: '', label: t('form.wholeTeam') },
            ...(projects.data?.list ?? []).map(one => ({ value: one.projectId, label: one.name })),
          ]}
        />
      </ContractFormBox>
    </Modal>
  )
}
