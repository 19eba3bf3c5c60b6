import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { type decisions, limits } from '../../rules.ts'
import { developerApi, type SubmittedView } from '../agreement-calls.ts'

interface DecideProps {
  row: SubmittedView
  decision: (typeof decisions)[number]
  onClose: () => void
}

/** Approves, or rejects with a note that says what to change. */
export function Decide({ row, decision, onClose }: DecideProps) {
  const { t } = useTranslation('ground/agreements')
  const [note, setNote] = useState('')
  const decide = useAction(developerApi.decideAgreement, { errors: 'form', onDone: onClose })
  const isLong = [...note].length > limits.noteLength
  const { agreementId, revision } = row
  return (
    <DialogBox
      title={t(`desk.${decision}`)}
      verb={t(`desk.${decision}`)}
      action={decision}
      isRunning={decide.isRunning}
      canSubmit={!isLong && (decision === 'approve' || note.trim() !== '')}
      refusal={decide.error ? errorText(decide.error) : null}
      onSubmit={() => void decide.run({ body: { agreementId, revision, decision, note } })}
      onClose={onClose}
    >
      <FormField
        label={t('desk.note')}
        constraintText={t('desk.noteHint')}
        errorText={isLong && t('form.maxLength', { count: limits.noteLength })}
      >
        <Textarea value={note} rows={5} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
