import FormField from '@cloudscape-design/components/form-field'
import Multiselect, { type MultiselectProps } from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { type GroupView, operations } from '../menu-calls.ts'

interface AddTeamsProps {
  group: GroupView
  zone: ZoneId
  onClose: () => void
}

/** Takes teams in that are found by name or id. */
export function AddTeams({ group, zone, onClose }: AddTeamsProps) {
  const { t } = useTranslation('ground/menu')
  const { groupCode, name } = group
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly MultiselectProps.Option[]>([])
  const found = useCall(operations.listTeams, { query: { search, pageSize: 20 } }, { keepBefore: true })
  const act = useAction(operations.changeGroup, { onDone: onClose })
  const add = () => {
    const join = chosen.flatMap(one => one.value ?? [])
    void act.run({ body: { groupCode, name, join, leave: [] } }, { zone })
  }
  const options = (found.data?.list ?? []).map(one => ({
    value: one.teamId,
    label: one.name,
    description: `${one.teamId} · ${t(`zones.${one.zone}`)}`,
  }))
  return (
    <DialogBox
      title={t('groups.add')}
      verb={t('groups.add')}
      action="addTeams"
      isRunning={act.isRunning}
      canSubmit={chosen.length > 0}
      onSubmit={add}
      onClose={onClose}
    >
      <FormField label={t('groups.teams')} constraintText={t('groups.addHint')}>
        <Multiselect
          options={options}
          selectedOptions={chosen}
          filteringType="manual"
          filteringPlaceholder={t('who.search')}
          filteringAriaLabel={t('who.search')}
          statusType={found.isFetching ? 'loading' : 'finished'}
          loadingText={t('state.loading')}
          empty={t('who.empty')}
          placeholder={t('groups.choose')}
          expandToViewport
          onLoadItems={({ detail }) => setSearch(detail.filteringText.slice(0, 64))}
          onChange={({ detail }) => setChosen(detail.selectedOptions)}
        />
      </FormField>
    </DialogBox>
  )
}
