import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { storeGroups } from '../../repository/groups/contract.ts'
import { appsApi, type GroupView, groupsApi } from '../store-calls.ts'
import type { SecretAddress } from './NewAddress.tsx'

interface GroupFormProps {
  /** Left out for a new one. */
  group?: GroupView
  onClose: () => void
  onAddress: (made: SecretAddress) => void
}

/** Name and apps of a repository, a new one or one that is there. */
export function GroupForm({ group, onClose, onAddress }: GroupFormProps) {
  const { t } = useTranslation('distribute/store')
  const form = useContractForm(storeGroups.calls.createGroup.body, {
    name: group?.name ?? '',
    appIds: group?.appIds ?? [],
  })
  const create = useAction(groupsApi.createGroup, {
    errors: 'form',
    onDone: ({ name, address, fingerprint }) => {
      onClose()
      onAddress({ name, address, fingerprint })
    },
  })
  const update = useAction(groupsApi.updateGroup, {
    errors: 'form',
    onDone: ({ name }) => {
      notify({ tone: 'success', text: t('groups.saved', { name }) })
      onClose()
    },
  })
  const title = group ? t('groups.edit', { name: group.name }) : t('groups.new')
  return (
    <Modal visible header={title} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={group ? (update as unknown as typeof create) : create}
        submit={body => {
          if (body.appIds.length === 0)
            return form.form.setError('appIds', { type: 'required', message: t('groups.noApps') })
          if (!group) return create.run({ body })
          const { repositoryId, revision } = group
          return update.run({ body: { ...body, repositoryId, revision } })
        }}
        submitLabel={group ? t('action.save') : t('groups.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('groups.name')} hint={t('groups.nameHint')} />
        <FormField of={form} name="appIds" label={t('groups.apps')} hint={t('groups.appsHint')}>
          {field => <AppChoice chosen={field.value as string[]} onChange={field.onChange} />}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}

function AppChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (appIds: string[]) => void }) {
  const { t } = useTranslation('distribute/store')
  const [search, setSearch] = useState('')
  const found = useCall(appsApi.listApps, { query: { pageSize: 100, ...(search && { search }) } }, { keepBefore: true })
  const options = (found.data?.list ?? []).map(app => ({
    value: app.appId,
    label: app.name,
    ...(app.packageName && { description: app.packageName }),
  }))
  const labelOf = (appId: string) => options.find(one => one.value === appId)?.label ?? appId
  return (
    <Multiselect
      options={options}
      selectedOptions={chosen.map(appId => ({ value: appId, label: labelOf(appId) }))}
      filteringType="manual"
      filteringAriaLabel={t('groups.findApp')}
      placeholder={t('groups.chooseApps')}
      statusType={found.error ? 'error' : found.isPending ? 'loading' : 'finished'}
      loadingText={t('state.loading')}
      errorText={t('state.failed')}
      empty={t('groups.noAppsYet')}
      onLoadItems={({ detail }) => setSearch(detail.filteringText)}
      onChange={({ detail }) => onChange(detail.selectedOptions.map(one => one.value ?? ''))}
    />
  )
}
