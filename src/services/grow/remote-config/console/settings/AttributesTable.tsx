import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { settingsApi } from '../config-calls.ts'
import { AttributeDialog } from './AttributeDialog.tsx'

/** What conditions may ask for: what every client says, then what the project added. */
export function AttributesTable({ projectId }: { projectId: string }) {
  const { t } = useTranslation('grow/remote-config')
  const table = useTableState({ id: 'remote-config-attributes' })
  const found = useCall(settingsApi.listAttributes, { query: { projectId, ...table.page } }, { keepBefore: true })
  const remove = useAction(settingsApi.deleteAttribute)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <DataTable
        title={t('settings.attributes')}
        table={table}
        result={found}
        rowKey={row => row.name}
        rowName={row => row.name}
        empty={{ title: t('settings.attributes') }}
        actions={
          <Can call={settingsApi.putAttribute}>
            <Button iconName="add-plus" data-action="putAttribute" onClick={() => setOpen(true)}>
              {t('settings.add')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('settings.name'),
            isName: true,
            minWidth: 180,
            cell: row => <code translate="no">{row.name}</code>,
          },
          { id: 'type', header: t('parameters.type'), cell: row => t(`settings.types.${row.type}`) },
          { id: 'source', header: t('settings.source'), cell: row => t(`settings.sources.${row.source}`) },
          {
            id: 'description',
            header: t('parameters.description'),
            minWidth: 300,
            cell: row => (row.isOwn ? row.description || '–' : t(`settings.known.${row.name.replace('.', '_')}`)),
          },
          {
            id: 'actions',
            header: t('schedules.actions'),
            cell: row =>
              row.isOwn && (
                <Can call={settingsApi.deleteAttribute}>
                  <Button
                    variant="inline-link"
                    data-action="deleteAttribute"
                    onClick={() => void remove.run({ params: { name: row.name }, query: { projectId } })}
                  >
                    {t('settings.remove')}
                  </Button>
                </Can>
              ),
          },
        ]}
      />
      {isOpen && <AttributeDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </>
  )
}
