import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { groupLimits } from '../../groups/rules.ts'
import { aliasPattern } from '../../rules.ts'
import { api, type GroupView, groupsApi } from '../function-calls.ts'

interface GroupDialogProps {
  projectId: string
  /** Null for a new one. */
  group: GroupView | null
  onClose: () => void
}

/** Which functions go together, and by which alias. */
export function GroupDialog({ projectId, group, onClose }: GroupDialogProps) {
  const { t } = useTranslation('build/functions')
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [aliasName, setAlias] = useState(group?.aliasName ?? 'live')
  const [search, setSearch] = useState('')
  const [members, setMembers] = useState(
    group?.functions.map(one => ({ value: one.functionId, label: one.functionName })) ?? [],
  )
  const query = { projectId, pageSize: 100, ...(search !== '' && { keyword: search }) }
  const found = useCall(api.listFunctions, { query }, { keepBefore: true })
  const create = useAction(groupsApi.createService, { errors: 'form', onDone: onClose })
  const update = useAction(groupsApi.updateService, { errors: 'form', onDone: onClose })
  const action = group ? update : create
  const functionIds = members.map(one => one.value)
  const submit = () => {
    if (group) {
      const { serviceId, revision } = group
      void update.run({ body: { serviceId, revision, name, description, functionIds } })
    } else void create.run({ body: { projectId, name, description, aliasName, functionIds } })
  }
  const options = (found.data?.list ?? []).map(one => ({ value: one.functionId, label: one.functionName }))
  return (
    <DialogBox
      title={group ? t('groups.edit', { name: group.name }) : t('groups.new')}
      {...(!group && { verb: t('create') })}
      action="group"
      isRunning={action.isRunning}
      canSubmit={
        name.trim() !== '' &&
        members.length > 0 &&
        members.length <= groupLimits.members &&
        new RegExp(aliasPattern).test(aliasName)
      }
      refusal={action.error && errorText(action.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value.slice(0, groupLimits.name))} />
      </FormField>
      <FormField label={t('description')}>
        <Input
          value={description}
          onChange={({ detail }) => setDescription(detail.value.slice(0, groupLimits.description))}
        />
      </FormField>
      {!group && (
        <FormField label={t('groups.alias')} constraintText={t('groups.aliasHint')}>
          <Input value={aliasName} spellcheck={false} onChange={({ detail }) => setAlias(detail.value)} />
        </FormField>
      )}
      <FormField label={t('groups.members')} constraintText={t('groups.membersHint')}>
        <Multiselect
          ariaLabel={t('groups.members')}
          placeholder={t('groups.choose')}
          options={options}
          selectedOptions={members}
          filteringType="manual"
          filteringAriaLabel={t('search')}
          statusType={found.isPending ? 'loading' : 'finished'}
          onLoadItems={({ detail }) => setSearch(detail.filteringText)}
          onChange={({ detail }) =>
            setMembers(detail.selectedOptions.map(({ value = '', label = value }) => ({ value, label })))
          }
        />
      </FormField>
    </DialogBox>
  )
}
