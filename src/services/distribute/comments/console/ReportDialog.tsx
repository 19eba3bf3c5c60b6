import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { limits, type Policy, policies } from '../rules.ts'
import { api } from './comment-calls.ts'

/** Says to the store what is wrong with a comment. */
export function ReportDialog({ commentId, onClose }: { commentId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/comments')
  const [policyId, setPolicy] = useState<Policy>(policies[0])
  const [note, setNote] = useState('')
  const report = useAction(api.reportComment, { errors: 'form', onDone: onClose })
  return (
    <DialogBox
      title={t('report.title')}
      verb={t('report.send')}
      action="sendReport"
      isRunning={report.isRunning}
      refusal={report.error && errorText(report.error)}
      onSubmit={() => void report.run({ body: { commentId, policyId, ...(note.trim() && { note: note.trim() }) } })}
      onClose={onClose}
    >
      <p className="cm-said">{t('report.text', { count: limits.reportsPerDay })}</p>
      <FormField label={t('report.policy')}>
        <RadioGroup
          value={policyId}
          items={policies.map(value => ({ value, label: t(`policies.${value}`) }))}
          onChange={({ detail }) => setPolicy(detail.value as Policy)}
        />
      </FormField>
      <FormField label={t('report.note')}>
        <Textarea rows={3} value={note} onChange={({ detail }) => setNote(detail.value.slice(0, limits.noteLength))} />
      </FormField>
    </DialogBox>
  )
}
