import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { saveFile } from '../../../../../console/save-file.ts'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { TypeView } from '../../contract.ts'
import { databaseApi } from '../database-calls.ts'
import { KeptPanel } from '../KeptPanel.tsx'
import { DeleteType } from './DeleteType.tsx'
import { ImportTypes } from './ImportTypes.tsx'
import { TypeDialog } from './TypeDialog.tsx'

const letters = { Read: 'R', Upsert: 'U', Delete: 'D' } as const

/** The object types with who may do what. */
export function TypesTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.getObjectTypes, { query: { projectId } }, { refetchInterval: 10_000 })
  const [edited, setEdited] = useState<TypeView | 'new' | null>(null)
  const [deleted, setDeleted] = useState<TypeView | null>(null)
  const [isImport, setImport] = useState(false)
  const mayEdit = may('cloudDb.edit')
  const list = found.data?.list ?? []
  const table = useTableState({ id: 'cloud-db-types' })
  const create = mayEdit && (
    <Button variant="primary" onClick={() => setEdited('new')} data-action="cloudDb.createType">
      {t('types.create')}
    </Button>
  )
  const exported = () =>
    void saveFile(databaseApi.exportObjectType.raw({ body: { projectId, format: 'json' } }), 'object-types.json')
  return (
    <SpaceBetween size="l">
      <DataTable
        title={t('tabs.types')}
        table={table}
        result={wholeList(found)}
        rowKey={type => type.objectTypeName}
        rowName={type => type.objectTypeName}
        empty={{ title: t('types.empty'), text: t('types.emptyText'), action: create || undefined }}
        actions={
          <>
            <Button onClick={exported} disabled={list.length === 0}>
              {t('types.export')}
            </Button>
            {mayEdit && <Button onClick={() => setImport(true)}>{t('types.import')}</Button>}
            {create}
          </>
        }
        columns={[
          {
            id: 'name',
            header: t('types.name'),
            isName: true,
            minWidth: 150,
            cell: type => <span translate="no">{type.objectTypeName}</span>,
          },
          {
            id: 'fields',
            header: t('types.fields'),
            minWidth: 220,
            cell: type => (
              <span translate="no">
                {type.fields.map(field => `${field.fieldName}${field.belongPrimaryKey ? '*' : ''}`).join(', ')}
              </span>
            ),
          },
          { id: 'indexes', header: t('types.indexes'), minWidth: 150, cell: type => <Indexes type={type} /> },
          { id: 'rights', header: t('types.rights'), minWidth: 200, cell: type => <Rights type={type} /> },
          ...(mayEdit
            ? [
                {
                  id: 'actions',
                  header: t('types.actions'),
                  width: 170,
                  cell: (type: TypeView) => (
                    <div className="lg-actions">
                      <Button
                        variant="inline-link"
                        ariaLabel={`${t('types.edit')} ${type.objectTypeName}`}
                        onClick={() => setEdited(type)}
                      >
                        {t('types.edit')}
                      </Button>
                      <Button
                        variant="inline-link"
                        ariaLabel={`${t('types.delete')} ${type.objectTypeName}`}
                        onClick={() => setDeleted(type)}
                      >
                        {t('types.delete')}
                      </Button>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
      <KeptPanel projectId={projectId} kind="TYPE" />
      {edited && (
        <TypeDialog
          projectId={projectId}
          version={found.data?.version ?? 0}
          before={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted && <DeleteType projectId={projectId} name={deleted.objectTypeName} onClose={() => setDeleted(null)} />}
      {isImport && <ImportTypes projectId={projectId} onClose={() => setImport(false)} />}
    </SpaceBetween>
  )
}

function Indexes({ type }: { type: TypeView }) {
  const { t } = useTranslation('build/cloud-db')
  if (type.indexes.length === 0) return '–'
  return type.indexes.map(({ indexName }) => {
    const state = type.indexStates[indexName.toLowerCase()]
    return (
      <div key={indexName} translate="no">
        {indexName}{' '}
        {state && <StatusBadge tone={state === 'BUILDING' ? 'running' : 'bad'} text={t(`indexState.${state}`)} />}
      </div>
    )
  })
}

/** Who may read, write and delete, a line each. */
function Rights({ type }: { type: TypeView }) {
  const { t } = useTranslation('build/cloud-db')
  return (['World', 'Authenticated', 'Creator', 'Administrator'] as const).map(role => {
    const rights = type.permissions.find(one => one.role === role)?.rights ?? []
    return (
      <div key={role}>
        {t(`roles.${role}`)}:{' '}
        <abbr title={t('types.letters')} translate="no">
          {rights.map(right => letters[right]).join('') || '–'}
        </abbr>
      </div>
    )
  })
}
