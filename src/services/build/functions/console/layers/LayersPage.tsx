import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useProject } from '../../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../../console/kit/ProjectPage.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type LayerView, layersApi, projectsApi } from '../function-calls.ts'
import { LayerDialog } from './LayerDialog.tsx'

/** Packages that the functions of a project share. */
export default function LayersPage() {
  const { t } = useTranslation('build/functions')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['q', 'cursor'])
  return (
    <ProjectPage of={of} title={t('layers.title')} text={t('layers.text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/functions')
  const [open, setOpen] = useState<LayerView | 'new' | null>(null)
  const [leaving, setLeaving] = useState<LayerView | null>(null)
  const table = useTableState({ id: 'function-layers' })
  const keyword = table.search ? { keyword: table.search } : {}
  const result = useCall(
    layersApi.listLayers,
    { query: { projectId, ...table.page, ...keyword } },
    { keepBefore: true },
  )
  const remove = useAction(layersApi.deleteLayer, { onDone: () => setLeaving(null) })
  const make = (
    <Can call={layersApi.createLayer}>
      <Button variant="primary" data-action="new-layer" onClick={() => setOpen('new')}>
        {t('layers.new')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('layers.title')}
        table={table}
        result={result}
        rowKey={row => row.layerId}
        rowName={row => row.name}
        searchLabel={t('search')}
        empty={{ title: t('layers.empty'), text: t('layers.emptyText'), action: make }}
        actions={make}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <div translate="no">
                {row.name}
                {row.newest?.description && <div className="lg-quiet">{row.newest.description}</div>}
              </div>
            ),
          },
          { id: 'version', header: t('version'), width: 110, cell: row => row.newest?.number ?? '–' },
          { id: 'scope', header: t('layers.scope'), width: 170, cell: row => t(`layers.scopes.${row.scope}`) },
          {
            id: 'size',
            header: t('layers.unpacked'),
            width: 130,
            cell: row => (row.newest ? <ByteSize value={row.newest.unpackedBytes} /> : '–'),
          },
          { id: 'used', header: t('layers.usedBy'), width: 120, cell: row => row.usedBy },
          { id: 'updated', header: t('updated'), width: 170, cell: row => <When at={row.updatedAt} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 200,
            cell: row => (
              <Can call={layersApi.createLayerVersion}>
                <SpaceBetween direction="horizontal" size="xs">
                  <Button variant="inline-link" onClick={() => setOpen(row)}>
                    {t('layers.newVersion')}
                  </Button>
                  <Button variant="inline-link" disabled={row.usedBy > 0} onClick={() => setLeaving(row)}>
                    {t('delete')}
                  </Button>
                </SpaceBetween>
              </Can>
            ),
          },
        ]}
      />
      {open !== null && (
        <LayerDialog projectId={projectId} layer={open === 'new' ? null : open} onClose={() => setOpen(null)} />
      )}
      {leaving && (
        <ConfirmByName
          title={t('layers.deleteTitle')}
          name={leaving.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { name: leaving.name }, query: { projectId } })}
          onCancel={() => setLeaving(null)}
        >
          {t('layers.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
