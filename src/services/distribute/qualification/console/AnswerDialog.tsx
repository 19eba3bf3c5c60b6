import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { qualification } from '../contract.ts'
import { Messages } from './Messages.tsx'
import { api, type TaskView } from './qualification-calls.ts'

export function AnswerDialog({ task, onClose }: { task: TaskView; onClose: () => void }) {
  const { t } = useTranslation('distribute/qualification')
  const { taskId, revision } = task
  const form = useContractForm(qualification.calls.answerQuestion.body, { taskId, text: '', revision })
  const act = useAction(api.answerQuestion, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('actions.answer')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={values => act.run({ body: { ...values, revision } })}
        submitLabel={t('actions.answer')}
        onCancel={onClose}
      >
        <Messages messages={task.messages.slice(-1)} />
        <TextAreaField of={form} name="text" rows={4} label={t('answer.label')} />
      </ContractFormBox>
    </Modal>
  )
}
