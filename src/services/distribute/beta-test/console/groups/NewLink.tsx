import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { betaInvitations } from '../../invitations/contract.ts'
import { invitationsApi } from '../beta-calls.ts'
import { DayInput } from '../DayInput.tsx'
import { endOfDayIn } from '../days.ts'

/** For how many people, and until when. */
export function NewLink({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  const form = useContractForm(betaInvitations.calls.createLink.body, { limit: 100, expiresAt: endOfDayIn(14) })
  const create = useAction(invitationsApi.createLink, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('links.make')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={create}
        submit={body => create.run({ params: { groupId }, body })}
        submitLabel={t('links.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="limit" type="number" label={t('links.limit')} />
        <FormField of={form} name="expiresAt" label={t('links.last')} hint={t('links.lastHint')}>
          {field => <DayInput value={field.value as number | null} onChange={field.onChange} />}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
