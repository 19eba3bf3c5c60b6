import '../experiments.css'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { LayerView } from '../../layers/contract.ts'
import { limits } from '../../rules.ts'
import { layersApi } from '../experiment-calls.ts'
import { LayerPicture } from './LayerPicture.tsx'

/** The layers of a project, each drawn with the parts that experiments have of it. */
export function LayersTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('grow/experiments')
  const table = useTableState({ id: 'experiment-layers' })
  const [open, setOpen] = useState<'new' | LayerView | null>(null)
  const [leaving, setLeaving] = useState<LayerView | null>(null)
  const query = { projectId, ...table.page, search: table.search }
  const result = useCall(layersApi.listLayers, { query }, { keepBefore: true })
  const remove = useAction(layersApi.deleteLayer, { onDone: () => setLeaving(null) })
  const add = (
    <Can call={layersApi.createLayer}>
      <Button variant="primary" data-action="create" onClick={() => setOpen('new')}>
        {t('layers.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.layers')}
        table={table}
        result={result}
        rowKey={row => row.layerId}
        rowName={row => row.name}
        searchLabel={t('layers.search')}
        empty={{ title: t('layers.empty'), text: t('layers.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            width: 180,
            cell: row => <span translate="no">{row.name}</span>,
          },
          { id: 'parts', header: t('layers.parts'), minWidth: 280, cell: row => <LayerPicture layer={row} /> },
          { id: 'by', header: t('layers.by'), width: 150, cell: row => <span translate="no">{row.unitAttr}</span> },
          {
            id: 'actions',
            header: t('actions'),
            width: 210,
            cell: row => (
              <Can call={layersApi.updateLayer}>
                <div className="lg-actions">
                  <Button variant="inline-link" onClick={() => setOpen(row)}>
                    {t('rename')}
                  </Button>
                  <Button variant="inline-link" onClick={() => setLeaving(row)}>
                    {t('delete')}
                  </Button>
                </div>
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
          title={t('layers.deleteTitle', { name: leaving.name })}
          name={leaving.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { layerId: leaving.layerId } })}
          onCancel={() => setLeaving(null)}
        >
          {t('layers.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}

interface LayerDialogProps {
  projectId: string
  layer: LayerView | null
  onClose: () => void
}

function LayerDialog({ projectId, layer, onClose }: LayerDialogProps) {
  const { t } = useTranslation('grow/experiments')
  const [name, setName] = useState(layer?.name ?? '')
  const create = useAction(layersApi.createLayer, { errors: 'form', onDone: onClose })
  const update = useAction(layersApi.updateLayer, { errors: 'form', onDone: onClose })
  const error = create.error ?? update.error
  const save = () =>
    layer
      ? update.run({ params: { layerId: layer.layerId }, body: { name, revision: layer.revision } })
      : create.run({ body: { projectId, name } })
  return (
    <DialogBox
      title={layer ? t('layers.renameTitle', { name: layer.name }) : t('layers.add')}
      action="save-layer"
      isRunning={create.isRunning || update.isRunning}
      canSubmit={name.trim() !== ''}
      refusal={error && errorText(error)}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input
          value={name}
          autoFocus
          nativeInputAttributes={{ maxLength: limits.nameLength }}
          onChange={({ detail }) => setName(detail.value)}
        />
      </FormField>
    </DialogBox>
  )
}
