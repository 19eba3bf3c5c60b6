import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { projectCalls } from '../app-calls.ts'

interface ProjectChoiceProps {
  value: string
  /** Where the app is now. */
  but?: string
  siteId: number
  onChange: (projectId: string) => void
}

/** A project of the team where the app's data stays. */
export function ProjectChoice({ value, but, siteId, onChange }: ProjectChoiceProps) {
  const { t } = useTranslation('distribute/apps')
  const found = useCall(projectCalls.listProjects, { query: { pageSize: 100 } })
  const options = (found.data?.list ?? [])
    .filter(one => one.siteId === siteId && one.projectId !== but && !one.isDemo)
    .map(one => ({ value: one.projectId, label: one.name }))
  return (
    <FormField label={t('moves.project')}>
      <Select
        selectedOption={options.find(one => one.value === value) ?? null}
        options={options}
        placeholder={t('moves.chooseProject')}
        empty={t('moves.noProject')}
        statusType={found.isPending ? 'loading' : 'finished'}
        filteringType={options.length > 10 ? 'auto' : 'none'}
        expandToViewport
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    </FormField>
  )
}
