import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { pictureLimits } from '../immersive/rules.ts'
import { deskCalls } from './immersive-calls.ts'

interface RefuseDialogProps {
  one: { appId: string; appName: string; revision: number }
  at: { zone?: ZoneId }
  onClose: () => void
}

/** Asks what must be changed. */
export function RefuseDialog({ one, at, onClose }: RefuseDialogProps) {
  const { t } = useTranslation('distribute/distribution-view')
  const [note, setNote] = useState('')
  const { appId, appName, revision } = one
  const decide = useAction(deskCalls.decideImmersive, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('desk.refused', { name: appName }) })
      onClose()
    },
  })
  return (
    <DialogBox
      title={t('desk.rejectTitle', { name: appName })}
      verb={t('desk.reject')}
      action="reject"
      isRunning={decide.isRunning}
      canSubmit={note.trim() !== '' && note.length <= pictureLimits.noteLength}
      refusal={decide.error && errorText(decide.error)}
      onSubmit={() => void decide.run({ body: { appId, verdict: 'REJECT', note, revision } }, at)}
      onClose={onClose}
    >
      <FormField stretch label={t('desk.note')} description={t('desk.noteText')}>
        <Textarea value={note} rows={4} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
