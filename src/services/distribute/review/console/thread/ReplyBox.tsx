import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { submissions } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { threads } from '../review-calls.ts'
import { useAttachments } from './use-attachments.ts'

interface ReplyBoxProps {
  submissionId: string
  /** An answer lets the clock run again; a message only tells something. */
  action: 'message' | 'answer'
}

/** Writes to the reviewer, with files where words are not enough. */
export function ReplyBox({ submissionId, action }: ReplyBoxProps) {
  const { t } = useTranslation('distribute/review')
  const [isAttaching, setAttaching] = useState(false)
  const attachments = useAttachments(limits.attachments)
  const form = useContractForm(submissions.calls.sendMessage.body, { submissionId, text: '', attachments: [] })
  const act = useAction(threads.sendMessage, {
    errors: 'form',
    onDone: () => {
      form.form.reset({ submissionId, text: '', attachments: [] })
      attachments.clear()
      setAttaching(false)
      notify({ tone: 'success', text: t('reply.sent') })
    },
  })
  return (
    <div data-action={action} className="review-reply">
      <ContractFormBox
        of={form}
        action={act}
        submit={({ text }) => act.run({ body: { submissionId, text, attachments: attachments.objectIds } })}
        submitLabel={action === 'answer' ? t('reply.answer') : t('reply.send')}
      >
        <TextAreaField
          of={form}
          name="text"
          rows={4}
          label={action === 'answer' ? t('reply.answerLabel') : t('reply.label')}
        />
        {isAttaching ? (
          <FileDrop
            label={t('reply.attach')}
            hint={t('reply.attachHint', { count: limits.attachments })}
            accept=".png,.jpg,.jpeg,.webp,.pdf,.zip"
            isMultiple
            isDisabled={attachments.isFull}
            onFiles={files => void attachments.send(files)}
            transfers={attachments.transfers}
          />
        ) : (
          <Button formAction="none" iconName="upload" onClick={() => setAttaching(true)}>
            {t('reply.attach')}
          </Button>
        )}
      </ContractFormBox>
    </div>
  )
}
