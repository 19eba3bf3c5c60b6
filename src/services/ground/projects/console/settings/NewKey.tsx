import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { dgsProjectApis } from '../../api/contract.ts'
import { apiCatalogue } from '../../api/rules.ts'
import { keyApi } from '../project-calls.ts'

interface NewKeyProps {
  projectId: string
  onClose: () => void
  onMade: (apiKey: string) => void
}

export function NewKey({ projectId, onClose, onMade }: NewKeyProps) {
  const { t, i18n } = useTranslation('ground/projects')
  const [chosen, setChosen] = useState<string[]>([])
  const form = useContractForm(dgsProjectApis.calls.createApiKey.body, { projectId, name: '', lifeDays: 365 })
  const act = useAction(keyApi.createApiKey, { errors: 'form', onDone: made => onMade(made.apiKey ?? '') })
  const options = apiCatalogue.map(one => ({ value: one.apiId, label: one.name[i18n.resolvedLanguage as Language] }))
  return (
    <Modal visible header={t('keys.create')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body: { ...body, apis: chosen as NonNullable<typeof body.apis> } })}
        submitLabel={t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('projects.name')} hint={t('keys.nameHint')} />
        <FormField label={t('keys.apis')} description={t('keys.apisHint')}>
          <Multiselect
            selectedOptions={options.filter(one => chosen.includes(one.value))}
            options={options}
            placeholder={t('keys.all')}
            onChange={({ detail }) => setChosen(detail.selectedOptions.map(one => one.value ?? ''))}
          />
        </FormField>
        <TextField of={form} name="lifeDays" type="number" label={t('keys.lifeDays')} hint={t('keys.lifeHint')} />
      </ContractFormBox>
    </Modal>
  )
}
