import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { groupLimits } from '../../groups/rules.ts'
import { latest } from '../../rules.ts'
import { api, type GroupView, groupsApi } from '../function-calls.ts'

interface ReleaseDialogProps {
  group: GroupView
  onClose: () => void
}

/** The version that each function gets; the newest unless somebody chooses another. */
export function ReleaseDialog({ group, onClose }: ReleaseDialogProps) {
  const { t } = useTranslation('build/functions')
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<Record<string, string>>(
    Object.fromEntries(group.functions.flatMap(one => (one.newest ? [[one.functionName, one.newest]] : []))),
  )
  const release = useAction(groupsApi.releaseService, { errors: 'form', onDone: onClose })
  const { serviceId, revision, functions } = group
  const submit = () => void release.run({ body: { serviceId, revision, description, versions: chosen } })
  return (
    <DialogBox
      title={t('groups.releaseOf', { name: group.name })}
      verb={t('groups.release')}
      action="release"
      isRunning={release.isRunning}
      canSubmit={functions.length > 0 && functions.every(one => chosen[one.functionName] !== undefined)}
      refusal={release.error && errorText(release.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {functions.map(member => (
        <VersionField
          key={member.functionId}
          projectId={group.projectId}
          member={member}
          version={chosen[member.functionName]}
          onChange={version => setChosen(before => ({ ...before, [member.functionName]: version }))}
        />
      ))}
      <FormField label={t('description')}>
        <Input
          value={description}
          onChange={({ detail }) => setDescription(detail.value.slice(0, groupLimits.description))}
        />
      </FormField>
    </DialogBox>
  )
}

interface VersionFieldProps {
  projectId: string
  member: GroupView['functions'][number]
  version: string | undefined
  onChange: (version: string) => void
}

function VersionField({ projectId, member, version, onChange }: VersionFieldProps) {
  const { t } = useTranslation('build/functions')
  const { functionName: name, newest, version: now } = member
  const found = useCall(
    api.listVersions,
    { params: { name }, query: { projectId } },
    { enabled: newest !== null, staleTime: 0 },
  )
  const options = (found.data?.list ?? [])
    .filter(one => one.version !== latest)
    .map(one => ({ value: one.version, label: one.version, description: one.description }))
  return (
    <FormField
      label={<span translate="no">{name}</span>}
      constraintText={now === null ? undefined : t('groups.is', { version: now })}
      errorText={newest === null ? t('groups.notPublished') : undefined}
    >
      <Select
        ariaLabel={t('groups.versionLabel', { name })}
        disabled={newest === null}
        options={options}
        selectedOption={version === undefined ? null : { value: version, label: version }}
        statusType={found.isPending && newest !== null ? 'loading' : 'finished'}
        onChange={({ detail }) => detail.selectedOption.value && onChange(detail.selectedOption.value)}
      />
    </FormField>
  )
}
