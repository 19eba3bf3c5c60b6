import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { members } from '../members/contract.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { type MemberView, memberApi } from './team-calls.ts'

interface EditRightsProps {
  member: MemberView
  onClose: () => void
}

/** What a member may do, and with which projects and apps. */
export function EditRights({ member, onClose }: EditRightsProps) {
  const { t } = useTranslation('ground/teams')
  const { accountId, name, roles, scope, revision } = member
  const form = useContractForm(members.calls.setUserPermission.body, { accountId, roles, scope, revision })
  const act = useAction(memberApi.setUserPermission, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('members.done.roles', { name }) })
      onClose()
    },
  })
  const { watch, setValue, setError } = form.form
  const values = watch()
  const isNothing = !values.scope.all && !values.scope.projects?.length && !values.scope.apps?.length
  const submit = (body: typeof values) => {
    if (body.roles.length === 0) return setError('root', { type: 'required', message: t('roleChoice.none') })
    if (isNothing) return setError('root', { type: 'required', message: t('scope.nothing') })
    return act.run({ body })
  }
  return (
    <Modal visible size="large" header={t('members.rolesOf', { name })} onDismiss={onClose}>
      <ContractFormBox of={form} action={act} submit={submit} submitLabel={t('action.save')} onCancel={onClose}>
        <FormField label={t('members.roles')} stretch>
          <RoleChoice chosen={values.roles} onChange={next => setValue('roles', next)} />
        </FormField>
        <FormField label={t('scope.title')} stretch>
          <ScopeChoice scope={values.scope} onChange={next => setValue('scope', next)} />
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
