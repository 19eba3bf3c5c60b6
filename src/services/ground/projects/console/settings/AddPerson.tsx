import FormField from '@cloudscape-design/components/form-field'
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ProjectRole, projectRoles } from '../../members/rules.ts'
import { peopleApi, teamApi } from '../project-calls.ts'

interface AddPersonProps {
  projectId: string
  /** Accounts that are in the project already. */
  inIt: readonly string[]
  onClose: () => void
}

export function AddPerson({ projectId, inIt, onClose }: AddPersonProps) {
  const { t } = useTranslation('ground/projects')
  const [chosen, setChosen] = useState<readonly MultiselectProps.Option[]>([])
  const [role, setRole] = useState<ProjectRole>('developer')
  const team = useCall(teamApi.listMembers, { query: { status: 'active', pageSize: 100 } })
  const act = useAction(peopleApi.addProjectMembers, { onDone: onClose })
  const people = (team.data?.list ?? []).filter(one => !inIt.includes(one.accountId))
  const roles = projectRoles.map(value => ({
    value,
    label: t(`people.roles.${value}`),
    description: t(`people.roleTexts.${value}`),
  }))
  const add = () => {
    const members = chosen.map(one => ({ accountId: one.value ?? '', role }))
    void act.run({ body: { projectId, members } })
  }
  return (
    <DialogBox
      title={t('people.add')}
      verb={t('people.add')}
      action="add-people"
      isRunning={act.isRunning}
      canSubmit={chosen.length > 0}
      onSubmit={add}
      onClose={onClose}
    >
      <FormField label={t('people.ofTeam')} description={t('people.text')}>
        <Multiselect
          selectedOptions={chosen}
          options={people.map(one => ({ value: one.accountId, label: one.name, description: one.loginName }))}
          filteringType="auto"
          statusType={team.isPending ? 'loading' : 'finished'}
          empty={t('people.nobodyLeft')}
          placeholder={t('people.choose')}
          onChange={({ detail }) => setChosen(detail.selectedOptions)}
        />
      </FormField>
      <FormField label={t('people.role')}>
        <Select
          selectedOption={roles.find(one => one.value === role) ?? null}
          options={roles}
          onChange={({ detail }) => setRole(detail.selectedOption.value as ProjectRole)}
        />
      </FormField>
    </DialogBox>
  )
}
