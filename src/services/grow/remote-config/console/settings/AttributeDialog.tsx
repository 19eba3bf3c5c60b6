import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { attributePattern, attributeTypes, limits } from '../../rules.ts'
import { settingsApi } from '../config-calls.ts'

/** An attribute that apps of the project say of themselves, so that conditions offer it. */
export function AttributeDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const [name, setName] = useState('')
  const [type, setType] = useState<(typeof attributeTypes)[number]>('STRING')
  const [description, setDescription] = useState('')
  const put = useAction(settingsApi.putAttribute, { errors: 'form', onDone: onClose })
  const isFit = new RegExp(attributePattern).test(name)
  return (
    <DialogBox
      title={t('settings.add')}
      action="putAttribute"
      isRunning={put.isRunning}
      canSubmit={isFit}
      refusal={put.error && errorText(put.error)}
      onClose={onClose}
      onSubmit={() => void put.run({ params: { name }, body: { projectId, type, source: 'SIGNAL', description } })}
    >
      <FormField
        label={t('settings.name')}
        description={t('settings.nameText')}
        errorText={name === '' || isFit ? undefined : t('settings.nameBad')}
      >
        <Input value={name} ariaRequired spellcheck={false} onChange={({ detail }) => setName(detail.value.trim())} />
      </FormField>
      <FormField label={t('parameters.type')}>
        <Select
          selectedOption={{ value: type, label: t(`settings.types.${type}`) }}
          options={attributeTypes.map(value => ({ value, label: t(`settings.types.${value}`) }))}
          onChange={({ detail }) => setType(detail.selectedOption.value as 'STRING')}
        />
      </FormField>
      <FormField label={t('parameters.description')}>
        <Input
          value={description}
          onChange={({ detail }) => setDescription(detail.value.slice(0, limits.descriptionLength))}
        />
      </FormField>
    </DialogBox>
  )
}
