import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type ZoneId, zoneIds } from '../../kernel/zones.ts'
import type { CallError } from '../call-error.ts'
import { usePageSearch } from '../page-search.ts'
import { projectZone } from '../session.ts'

interface Listed {
  projectId: string
  name: string
  zone: ZoneId
}
type Found = Pick<
  UseQueryResult<{ list: readonly Listed[]; total: number }, CallError>,
  'data' | 'error' | 'isPending' | 'refetch'
>
export type ChosenProject = ReturnType<typeof useProject>

const idPattern = /^[1-9][0-9]{0,18}$/

/**
 * The project in the address; its rows are in its own zone, which the address names, too.
 *
 * @param found the projects to choose from
 * @param ofProject what else of the address belongs to one project and goes with it: `['cursor', 'q']`
 */
export function useProject(found: Found, ofProject: readonly string[] = []) {
  const [search, change] = usePageSearch(raw => ({
    projectId: idPattern.test(String(raw['projectId'])) ? String(raw['projectId']) : '',
    zone: zoneIds.find(one => one === raw['zone']),
  }))
  const list = found.data?.list ?? []
  const wanted = list.find(one => one.projectId === search.projectId) ?? (search.projectId === '' ? list[0] : undefined)
  const isPlaced = wanted !== undefined && search.projectId === wanted.projectId && search.zone === wanted.zone
  useEffect(() => {
    if (wanted && !isPlaced) change({ projectId: wanted.projectId, zone: wanted.zone }, { replace: true })
  }, [wanted, isPlaced, change])
  const choose = (projectId: string) => {
    const zone = list.find(one => one.projectId === projectId)?.zone
    change({ projectId, zone, ...Object.fromEntries(ofProject.map(name => [name, undefined])) })
  }
  const isThere = isPlaced && projectZone.get() === wanted.zone
  return { found, list, choose, project: isThere ? wanted : undefined, isEmpty: found.data?.total === 0 }
}

/** Chooses the project that the page is about. */
export function ProjectChoice({ of }: { of: ChosenProject }) {
  const { t } = useTranslation()
  const options = of.list.map(one => ({ value: one.projectId, label: one.name, tags: [one.zone] }))
  return (
    <FormField label={t('project')}>
      <div translate="no">
        <Select
          ariaLabel={t('project')}
          selectedOption={options.find(one => one.value === of.project?.projectId) ?? null}
          options={options}
          filteringType="auto"
          statusType={of.found.isPending ? 'loading' : 'finished'}
          onChange={({ detail }) => of.choose(detail.selectedOption.value ?? '')}
        />
      </div>
    </FormField>
  )
}
