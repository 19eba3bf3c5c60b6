import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../console/use-call.ts'
import { grantApi, type ScopeView } from './client-calls.ts'

interface ScopeChoiceProps {
  scope: ScopeView
  onChange: (scope: ScopeView) => void
}

/** Where rights hold: in the whole team, or in the projects that are picked. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const { t } = useTranslation('ground/api-clients')
  const [search, setSearch] = useState('')
  const found = useCall(grantApi.listGrantResources, { query: { search, pageSize: 50 } }, { keepBefore: true })
  const options = (found.data?.projects.list ?? []).map(one => ({
    value: one.projectId,
    label: one.name,
    description: `${one.projectId} · ${one.zone}`,
  }))
  const chosen = scope.projects ?? []
  const known = new Map(options.map(one => [one.value, one]))
  return (
    <SpaceBetween size="m">
      <RadioGroup
        value={scope.all ? 'all' : 'some'}
        ariaLabel={t('scope.title')}
        items={[
          { value: 'all', label: t('scope.all'), description: t('scope.allText') },
          { value: 'some', label: t('scope.some') },
        ]}
        onChange={({ detail }) => onChange(detail.value === 'all' ? { all: true } : { projects: [], apps: [] })}
      />
      {!scope.all && (
        <Multiselect
          ariaLabel={t('scope.projects')}
          placeholder={t('scope.projects')}
          options={options}
          selectedOptions={chosen.map(id => known.get(id) ?? { value: id, label: id })}
          filteringType="manual"
          filteringAriaLabel={t('scope.projects')}
          statusType={found.isPending ? 'loading' : found.error ? 'error' : 'finished'}
          loadingText={t('state.loading')}
          errorText={t('state.failed')}
          empty={t('scope.none')}
          expandToViewport
          deselectAriaLabel={option => t('scope.takeOut', { name: option.label })}
          onLoadItems={({ detail }) => setSearch(detail.filteringText.slice(0, 64))}
          onChange={({ detail }) =>
            onChange({ projects: detail.selectedOptions.flatMap(one => one.value ?? []), apps: scope.apps ?? [] })
          }
        />
      )}
    </SpaceBetween>
  )
}
