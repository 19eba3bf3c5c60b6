import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import type { ProjectSort } from '../rules.ts'
import { NewProject } from './NewProject.tsx'
import { api } from './project-calls.ts'

export default function ProjectsPage() {
  const { t } = useTranslation('ground/projects')
  const go = useGo()
  const [{ new: isMaking }, change] = usePageSearch<{ new?: string }>(raw => raw as { new?: string })
  const setMaking = (isOpen: boolean) => change({ new: isOpen ? '1' : undefined }, { replace: true })
  const table = useTableState<'zone'>({
    id: 'projects',
    filters: ['zone'],
    sort: { by: 'createdAt', isDescending: true },
  })
  const { sort, filters, search, page } = table
  const result = useCall(
    api.listProjects,
    {
      query: {
        ...page,
        search,
        ...(filters.zone && { zone: filters.zone as ZoneId }),
        ...(sort && { sort: `${sort.isDescending ? '-' : ''}${sort.by}` as ProjectSort }),
      },
    },
    { keepBefore: true },
  )
  const create = (variant: 'primary' | 'normal') => (
    <Can call={api.createProject}>
      <Button variant={variant} onClick={() => setMaking(true)}>
        {t('projects.create')}
      </Button>
    </Can>
  )

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('projects.title')} description={t('projects.text')} />
      <DataTable
        title={t('projects.all')}
        table={table}
        result={result}
        rowKey={row => row.projectId}
        rowName={row => row.name}
        searchLabel={t('projects.search')}
        filters={[
          {
            id: 'zone',
            label: t('projects.zone'),
            options: shownZoneIds.map(zone => ({ value: zone, label: t(`zones.${zone}`) })),
          },
        ]}
        empty={{ title: t('projects.empty'), text: t('projects.emptyText'), action: create('normal') }}
        actions={create('primary')}
        columns={[
          {
            id: 'name',
            header: t('projects.name'),
            isName: true,
            sortBy: 'name',
            minWidth: 240,
            cell: row => <Link href={hrefOf('/projects/$projectId', { projectId: row.projectId })}>{row.name}</Link>,
          },
          { id: 'zone', header: t('projects.zone'), width: 170, cell: row => <ZoneName zone={row.zone} /> },
          { id: 'apps', header: t('projects.apps'), width: 140, cell: row => row.appCount },
          {
            id: 'created',
            header: t('projects.created'),
            sortBy: 'createdAt',
            width: 190,
            cell: row => <When at={row.createdAt} />,
          },
          {
            id: 'updated',
            header: t('projects.updated'),
            sortBy: 'updatedAt',
            width: 190,
            cell: row => <When at={row.updatedAt} show="relative" />,
          },
        ]}
      />
      {isMaking && (
        <NewProject onClose={() => setMaking(false)} onMade={projectId => go('/projects/$projectId', { projectId })} />
      )}
    </SpaceBetween>
  )
}
