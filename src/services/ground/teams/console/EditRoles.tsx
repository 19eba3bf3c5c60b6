import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { teams } from '../contract.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { api, type MemberView } from './team-calls.ts'

interface EditRolesProps {
  member: MemberView
  onClose: () => void
}

export function EditRoles({ member, onClose }: EditRolesProps) {
  const { t } = useTranslation('ground/teams')
  const { accountId, name, roles, revision } = member
  const form = useContractForm(teams.calls.updateMember.body, { accountId, roles, revision })
  const act = useAction(api.updateMember, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('members.done.roles', { name }) })
      onClose()
    },
  })
  const chosen = form.form.watch('roles') ?? []
  return (
    <Modal visible header={t('members.rolesOf', { name })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body =>
          chosen.length > 0
            ? act.run({ body })
            : form.form.setError('root', { type: 'required', message: t('roleChoice.none') })
        }
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <RoleChoice chosen={chosen} onChange={next => form.form.setValue('roles', next)} />
      </ContractFormBox>
    </Modal>
  )
}
