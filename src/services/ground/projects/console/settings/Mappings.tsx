import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type MappingView, settingsApi } from '../project-calls.ts'
import { NewMapping } from './NewMapping.tsx'

/** What the project is called in other systems. */
export function Mappings({ projectId }: { projectId: string }) {
  const { t } = useTranslation('ground/projects')
  const [isAdding, setAdding] = useState(false)
  const [doomed, setDoomed] = useState<MappingView | null>(null)
  const table = useTableState<'system'>({ id: 'project-mappings', filters: ['system'] })
  const result = useCall(settingsApi.listMappings, { query: { projectId } })
  const remove = useAction(settingsApi.changeMappings, { onDone: () => setDoomed(null) })
  const systems = [...new Set((result.data?.list ?? []).map(row => row.system))]
  const { search, filters } = table
  const isShown = (row: MappingView) =>
    (filters.system === undefined || row.system === filters.system) &&
    row.externalId.toLowerCase().includes(search.trim().toLowerCase())
  const add = (variant: 'primary' | 'normal') => (
    <Can call={settingsApi.changeMappings}>
      <Button variant={variant} data-action="add-mapping" onClick={() => setAdding(true)}>
        {t('mappings.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('mappings.title')}
        table={table}
        result={wholeList(result, isShown)}
        rowKey={row => `${row.system} ${row.externalId}`}
        rowName={row => `${row.system} ${row.externalId}`}
        searchLabel={t('mappings.search')}
        filters={[
          { id: 'system', label: t('mappings.system'), options: systems.map(value => ({ value, label: value })) },
        ]}
        empty={{ title: t('mappings.empty'), text: t('mappings.text'), action: add('normal') }}
        actions={add('primary')}
        columns={[
          {
            id: 'id',
            header: t('mappings.externalId'),
            isName: true,
            minWidth: 220,
            cell: row => <span translate="no">{row.externalId}</span>,
          },
          { id: 'system', header: t('mappings.system'), minWidth: 170, cell: row => <code>{row.system}</code> },
          { id: 'added', header: t('people.added'), width: 190, cell: row => <When at={row.createdAt} /> },
          ...(may('projects.edit')
            ? [
                {
                  id: 'actions',
                  header: t('properties.actions'),
                  width: 150,
                  cell: (row: MappingView) => (
                    <Button
                      variant="inline-link"
                      data-action="remove-mapping"
                      ariaLabel={t('mappings.removeOf', { name: row.externalId })}
                      onClick={() => setDoomed(row)}
                    >
                      {t('people.remove')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {isAdding && <NewMapping projectId={projectId} onClose={() => setAdding(false)} />}
      {doomed && (
        <ConfirmByName
          title={t('mappings.removeTitle', { system: doomed.system })}
          name={doomed.externalId}
          verb={t('people.remove')}
          isRunning={remove.isRunning}
          onCancel={() => setDoomed(null)}
          onConfirm={() => {
            const { system, externalId } = doomed
            void remove.run({ body: { projectId, remove: [{ system, externalId }] } })
          }}
        >
          {t('mappings.removeText')}
        </ConfirmByName>
      )}
    </>
  )
}
