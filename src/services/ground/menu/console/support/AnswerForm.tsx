import Modal from '@cloudscape-design/components/modal'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { menuOperations } from '../../operations/contract.ts'
import { operations, type StaffSupportView } from '../menu-calls.ts'
import { ApplicationFacts } from './ApplicationFacts.tsx'

interface AnswerFormProps {
  row: StaffSupportView
  name: string
  zone: ZoneId
  onClose: () => void
}

/** One application as the operator reads it; what may still be done with it is offered below. */
export function AnswerForm({ row, name, zone, onClose }: AnswerFormProps) {
  const { t } = useTranslation('ground/menu')
  const { applyId, allowedActions, revision, teamId, teamName } = row
  const form = useContractForm(menuOperations.calls.answerSupport.body, {
    action: allowedActions[0] ?? 'accept',
    answer: '',
    revision,
  })
  const act = useAction(operations.answerSupport, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('support.answered') })
      onClose()
    },
  })
  return (
    <Modal visible header={name} onDismiss={onClose}>
      <SpaceBetween size="l">
        <ApplicationFacts row={row} team={teamName ?? t('groups.goneTeam')} />
        {allowedActions.length > 0 && (
          <ContractFormBox
            of={form}
            action={act}
            submit={body => act.run({ params: { applyId }, body }, { zone })}
            submitLabel={t('support.sendAnswer')}
            onCancel={onClose}
          >
            <FormField of={form} name="action" label={t('support.decision')}>
              {field => (
                <RadioGroup
                  name={`answer-${teamId}`}
                  value={field.value as string}
                  items={allowedActions.map(value => ({
                    value,
                    label: t(`support.do.${value}`),
                    description: t(`support.doText.${value}`),
                  }))}
                  onChange={({ detail }) => field.onChange(detail.value)}
                />
              )}
            </FormField>
            <TextAreaField
              of={form}
              name="answer"
              label={t('support.answer')}
              hint={t('support.answerHint')}
              rows={5}
            />
          </ContractFormBox>
        )}
      </SpaceBetween>
    </Modal>
  )
}
