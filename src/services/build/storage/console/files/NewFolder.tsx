import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { pathProblem } from '../../rules.ts'
import { useGeneration } from '../storage-calls.ts'

export function NewFolder({ bucketId, prefix, onClose }: { bucketId: string; prefix: string; onClose: () => void }) {
  const { t } = useTranslation('build/storage')
  const calls = useGeneration()
  const [name, setName] = useState('')
  const create = useAction(calls.createFolder, { errors: 'form', onDone: onClose })
  const path = `${prefix}${name}/`
  const isWrong = name !== '' && pathProblem(path) !== null
  return (
    <DialogBox
      title={t('files.newFolder')}
      verb={t('files.create')}
      action="create-folder"
      isRunning={create.isRunning}
      canSubmit={name !== '' && !isWrong}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body: { bucketId, path } })}
      onClose={onClose}
    >
      <FormField label={t('files.name')} errorText={isWrong ? t('files.nameWrong') : undefined}>
        <Input value={name} autoFocus onChange={({ detail }) => setName(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
