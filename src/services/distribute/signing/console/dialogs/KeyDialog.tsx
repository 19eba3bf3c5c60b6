import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type KeyKind, keyKinds, type SigningView } from '../../contract.ts'
import { api } from '../signing-calls.ts'
import { NameField } from './NameField.tsx'

interface KeyDialogProps {
  action: 'generate' | 'rotate' | 'discard'
  one: SigningView
  name: string
  onClose: () => void
}

const calls = { generate: 'GENERATE', rotate: 'ROTATE', discard: 'DISCARD' } as const

/** Has the store make, rotate or give back its key. */
export function KeyDialog({ action, one, name, onClose }: KeyDialogProps) {
  const { t } = useTranslation('distribute/signing')
  const [typed, setTyped] = useState('')
  const [algorithm, setAlgorithm] = useState<KeyKind>('RSA4096')
  const change = useAction(api.putSigningKey, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t(`keys.${action}.done`) })
      onClose()
    },
  })
  const { appId, revision } = one
  const makesKey = action !== 'discard'
  const body = { appId, action: calls[action], revision, ...(makesKey && { algorithm }) }
  return (
    <DialogBox
      title={t(`keys.${action}.title`)}
      verb={t(`actions.${action}`)}
      action={action}
      isRunning={change.isRunning}
      canSubmit={typed.trim() === name}
      refusal={change.error && errorText(change.error)}
      onSubmit={() => void change.run({ body })}
      onClose={onClose}
    >
      <Alert type="warning">{t(`keys.${action}.text`)}</Alert>
      {makesKey && (
        <FormField label={t('kinds.label')}>
          <RadioGroup
            value={algorithm}
            items={keyKinds.map(value => ({ value, label: t(`kinds.${value}`), description: t(`kinds.${value}Text`) }))}
            onChange={({ detail }) => setAlgorithm(detail.value as KeyKind)}
          />
        </FormField>
      )}
      <NameField name={name} value={typed} onChange={setTyped} />
    </DialogBox>
  )
}
