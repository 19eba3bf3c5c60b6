import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, type ProjectView } from '../app-calls.ts'
import { appColumns } from '../app-columns.tsx'
import { usePictures } from '../use-pictures.ts'

export function ProjectApps({ project }: { project: ProjectView }) {
  const { t } = useTranslation('distribute/apps')
  const { projectId, zone } = project
  const table = useTableState({ id: 'project-apps', sort: { by: 'updated', isDescending: true } })
  const { search, sort, page } = table
  const result = useCall(
    api.listApps,
    {
      query: {
        ...page,
        projectId,
        search,
        sort: sort?.by === 'name' ? 'name' : 'updated',
        order: sort?.isDescending ? 'desc' : 'asc',
      },
    },
    { keepBefore: true, zone },
  )
  const pictures = usePictures(result.data?.list.map(app => app.iconObjectId) ?? [], zone)
  const create = (variant: 'primary' | 'normal') => (
    <Can call={api.createApp}>
      <Button variant={variant} href={hrefOf('/apps/new', {}, { projectId })}>
        {t('apps.create')}
      </Button>
    </Can>
  )
  return (
    <DataTable
      title={t('project.appsOf')}
      table={table}
      result={result}
      columns={appColumns(t, pictures)}
      rowKey={app => app.appId}
      rowName={app => app.name}
      searchLabel={t('apps.search')}
      empty={{ title: t('project.noApps'), text: t('project.noAppsText'), action: create('normal') }}
      actions={create('primary')}
    />
  )
}
