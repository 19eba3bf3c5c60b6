import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../console/use-call.ts'
import { type ScopeView, scopeApi, type ThingView } from './team-calls.ts'

interface ScopeChoiceProps {
  scope: ScopeView
  onChange: (scope: ScopeView) => void
}

/** For what rights hold: the whole team, or the projects and apps that are picked. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const { t } = useTranslation('ground/teams')
  const { projects = [], apps = [] } = scope
  return (
    <SpaceBetween size="m">
      <RadioGroup
        value={scope.all ? 'all' : 'some'}
        ariaLabel={t('scope.title')}
        items={[
          { value: 'all', label: t('scope.all'), description: t('scope.allText') },
          { value: 'some', label: t('scope.some'), description: t('scope.someText') },
        ]}
        onChange={({ detail }) => onChange(detail.value === 'all' ? { all: true } : { projects: [], apps: [] })}
      />
      {!scope.all && (
        <ThingChoice kind="project" chosen={projects} onChange={next => onChange({ projects: next, apps })} />
      )}
      {!scope.all && <ThingChoice kind="app" chosen={apps} onChange={next => onChange({ projects, apps: next })} />}
    </SpaceBetween>
  )
}

interface ThingChoiceProps {
  kind: 'project' | 'app'
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}

function ThingChoice({ kind, chosen, onChange }: ThingChoiceProps) {
  const { t } = useTranslation('ground/teams')
  const [search, setSearch] = useState('')
  const found = useCall(scopeApi.listScopes, { query: { kind, search, pageSize: 50 } }, { keepBefore: true })
  const known = useCall(
    scopeApi.listScopes,
    { query: { kind, ids: chosen.join(','), pageSize: 100 } },
    { enabled: chosen.length > 0, keepBefore: true },
  )
  const toOption = (thing: ThingView) => ({ value: thing.id, label: thing.name || thing.id, description: thing.id })
  const options = (found.data?.list ?? []).map(toOption)
  const names = new Map([...(known.data?.list ?? []), ...(found.data?.list ?? [])].map(one => [one.id, toOption(one)]))
  const label = t(`scope.${kind}s`)
  return (
    <Multiselect
      ariaLabel={label}
      placeholder={label}
      options={options}
      selectedOptions={chosen.map(id => names.get(id) ?? { value: id, label: id })}
      filteringType="manual"
      filteringAriaLabel={label}
      statusType={found.isPending ? 'loading' : found.error ? 'error' : 'finished'}
      loadingText={t('state.loading')}
      errorText={t('state.failed')}
      empty={t('scope.none')}
      expandToViewport
      onLoadItems={({ detail }) => setSearch(detail.filteringText.slice(0, 64))}
      onChange={({ detail }) => onChange(detail.selectedOptions.flatMap(one => (one.value ? [one.value] : [])))}
      deselectAriaLabel={option => t('scope.takeOut', { name: option.label })}
    />
  )
}
