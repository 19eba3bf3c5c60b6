import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { TypeView } from '../../contract.ts'
import { isAutoIncrement } from '../../schema/rules.ts'
import { rowsApi } from '../database-calls.ts'
import { readValue } from './values.ts'

interface RowDialogProps {
  type: TypeView
  place: { projectId: string; cloudDBZoneName: string; objectTypeName: string }
  onClose: () => void
  onDone: () => void
}

/** A new row; what is left empty gets its default. */
export function RowDialog({ type, place, onClose, onDone }: RowDialogProps) {
  const { t } = useTranslation('build/cloud-db')
  const [texts, setTexts] = useState<Record<string, string>>({})
  const insert = useAction(rowsApi.putObject, {
    errors: 'form',
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const fields = type.fields.filter(field => !field.isNeedEncrypt)
  const object = () =>
    Object.fromEntries(
      fields.flatMap(({ fieldName, fieldType }) => {
        const text = texts[fieldName] ?? ''
        return text === '' ? [] : [[fieldName, readValue(fieldType, text)]]
      }),
    )
  return (
    <DialogBox
      title={t('data.add')}
      verb={t('data.add')}
      size="large"
      isRunning={insert.isRunning}
      refusal={insert.error && errorText(insert.error)}
      onClose={onClose}
      onSubmit={() => void insert.run({ body: { ...place, operation: 'INSERT', object: object() } })}
    >
      {fields.map(({ fieldName, fieldType, belongPrimaryKey, defaultValue }) => {
        const value = texts[fieldName] ?? ''
        const set = (text: string) => setTexts({ ...texts, [fieldName]: text })
        const isNeeded = belongPrimaryKey && !isAutoIncrement(fieldType)
        return (
          <FormField
            key={fieldName}
            label={<span translate="no">{fieldName}</span>}
            description={`${fieldType}${isNeeded ? ` · ${t('field.key')}` : ''}`}
            constraintText={
              fieldType === 'Date' ? t('data.dateHint') : fieldType === 'ByteArray' ? 'Base64' : undefined
            }
          >
            {fieldType === 'Boolean' ? (
              <Select
                ariaLabel={fieldName}
                selectedOption={value === '' ? null : { value, label: value }}
                options={['', 'true', 'false'].map(one => ({ value: one, label: one || '–' }))}
                onChange={({ detail }) => set(detail.selectedOption.value ?? '')}
              />
            ) : fieldType === 'Text' ? (
              <Textarea ariaLabel={fieldName} value={value} onChange={({ detail }) => set(detail.value)} />
            ) : (
              <Input
                ariaLabel={fieldName}
                value={value}
                placeholder={defaultValue ?? ''}
                spellcheck={false}
                onChange={({ detail }) => set(detail.value)}
              />
            )}
          </FormField>
        )
      })}
    </DialogBox>
  )
}
