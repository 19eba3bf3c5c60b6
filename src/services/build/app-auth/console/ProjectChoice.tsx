import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageSearch } from '../../../../console/page-search.ts'
import { projectZone } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { projectsApi } from './auth-calls.ts'

const idPattern = /^[1-9][0-9]{0,18}$/

/** The project in the address; its rows are in its own zone, which the address names, too. */
export function useProject() {
  const [search, change] = usePageSearch(raw => ({
    projectId: idPattern.test(String(raw['projectId'])) ? String(raw['projectId']) : '',
    zone: zoneIds.find(one => one === raw['zone']),
  }))
  const found = useCall(projectsApi.listProjects, { query: { pageSize: 100 } })
  const list = found.data?.list ?? []
  const project = list.find(one => one.projectId === search.projectId)
  const wanted = project ?? (search.projectId === '' ? list[0] : undefined)
  const isPlaced = wanted !== undefined && search.projectId === wanted.projectId && search.zone === wanted.zone
  useEffect(() => {
    if (wanted && !isPlaced) change({ projectId: wanted.projectId, zone: wanted.zone }, { replace: true })
  }, [wanted, isPlaced, change])
  const choose = (projectId: string) => {
    const zone = list.find(one => one.projectId === projectId)?.zone
    change({ projectId, zone, ...({ cursor: undefined, page: undefined, q: undefined } as object) })
  }
  const isThere = isPlaced && projectZone.get() === wanted.zone
  return { found, list, choose, project: isThere ? wanted : undefined, isEmpty: found.data?.total === 0 }
}

export function ProjectChoice({ of }: { of: ReturnType<typeof useProject> }) {
  const { t } = useTranslation('build/app-auth')
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
