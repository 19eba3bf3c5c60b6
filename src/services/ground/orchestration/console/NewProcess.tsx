import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { processNamePattern } from '../rules.ts'
import { desk } from './process-calls.ts'

const name = new RegExp(processNamePattern)

/** Asks for the two names and the title; the draft begins with one step that can be run at once. */
export function NewProcess({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ground/orchestration')
  const go = useGo()
  const [values, setValues] = useState({ definitionId: '', processId: '', title: '' })
  const { definitionId, processId, title } = values
  const params = { definitionId, processId }
  const save = useAction(desk.saveDraft, {
    errors: 'form',
    onDone: () => go('/operate/processes/$definitionId/$processId', params),
  })
  const steps = [{ id: 'user', call: { service: 'ground/teams', name: 'getUserInfo' } }]
  const definition = { ...params, title, steps, output: '$.steps.user.body' }
  return (
    <DialogBox
      title={t('list.new')}
      verb={t('new.make')}
      action="newProcess"
      isRunning={save.isRunning}
      canSubmit={name.test(definitionId) && name.test(processId) && title.trim() !== ''}
      refusal={save.error && errorText(save.error)}
      onSubmit={() => void save.run({ params, body: { definition } })}
      onClose={onClose}
    >
      {(['definitionId', 'processId', 'title'] as const).map(field => (
        <FormField key={field} label={t(`new.${field}`)} constraintText={t(`new.${field}Hint`)}>
          <Input
            value={values[field]}
            spellcheck={false}
            onChange={({ detail }) => setValues(before => ({ ...before, [field]: detail.value }))}
          />
        </FormField>
      ))}
    </DialogBox>
  )
}
