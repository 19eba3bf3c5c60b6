import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, type FunctionView } from './function-calls.ts'

/** `$latest` becomes a version, with a word on what is new in it. */
export function PublishDialog({ of: { functionId }, onClose }: { of: FunctionView; onClose: () => void }) {
  const { t } = useTranslation('build/functions')
  const [description, setDescription] = useState('')
  const publish = useAction(api.publishVersion, {
    errors: 'form',
    onDone: ({ version, isNew }) => {
      notify({ tone: 'success', text: isNew ? t('nowPublished', { version }) : t('wasPublished', { version }) })
      onClose()
    },
  })
  const said = description.trim()
  return (
    <DialogBox
      title={t('publishTitle')}
      verb={t('publish')}
      action="publish"
      isRunning={publish.isRunning}
      refusal={publish.error && errorText(publish.error)}
      onSubmit={() => void publish.run({ body: { functionId, ...(said !== '' && { description: said }) } })}
      onClose={onClose}
    >
      <FormField label={t('whatIsNew')} constraintText={t('whatIsNewHint')}>
        <Input value={description} onChange={({ detail }) => setDescription(detail.value.slice(0, 512))} />
      </FormField>
    </DialogBox>
  )
}
