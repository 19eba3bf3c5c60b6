import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
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
  const rightsOf = (type: TypeView, role: string) =>
    type.permissions
      .find(one => one.role === role)
      ?.rights.map(right => letters[right])
      .join('') || '–'
  const create = mayEdit && (
    <Button variant="primary" onClick={() => setEdited('new')} data-action="cloudDb.createType">
      {t('types.create')}
    </Button>
  )
  const exported = () =>
    void saveFile(databaseApi.exportObjectType.raw({ body: { projectId, format: 'json' } }), 'object-types.json')
  return (
    <SpaceBetween size="l">
      <Table<TypeView>
        items={list}
        loading={found.isPending}
        loadingText={t('loading')}
        trackBy="objectTypeName"
        resizableColumns
        wrapLines
        header={
          <Header
            variant="h2"
            counter={found.data ? `(${list.length})` : ''}
            description={t('types.version', { version: found.data?.version ?? 0 })}
            actions={
              <div className="lg-actions">
                <Button onClick={exported} disabled={list.length === 0}>
                  {t('types.export')}
                </Button>
                {mayEdit && <Button onClick={() => setImport(true)}>{t('types.import')}</Button>}
                {create}
              </div>
            }
          >
            {t('tabs.types')}
          </Header>
        }
        empty={
          found.error ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <EmptyState title={t('types.empty')} text={t('types.emptyText')} action={create || undefined} />
          )
        }
        ariaLabels={{ tableLabel: t('tabs.types') }}
        columnDefinitions={[
          {
            id: 'name',
            header: t('types.name'),
            isRowHeader: true,
            minWidth: 140,
            cell: type => <span translate="no">{type.objectTypeName}</span>,
          },
          {
            id: 'fields',
            header: t('types.fields'),
            minWidth: 200,
            cell: type => (
              <span translate="no">
                {type.fields.map(field => `${field.fieldName}${field.belongPrimaryKey ? '*' : ''}`).join(', ')}
              </span>
            ),
          },
          {
            id: 'indexes',
            header: t('types.indexes'),
            minWidth: 120,
            cell: type => (
              <SpaceBetween size="xxs">
                {type.indexes.map(index => {
                  const state = type.indexStates[index.indexName.toLowerCase()]
                  return (
                    <span key={index.indexName} translate="no">
                      {index.indexName}{' '}
                      {state && (
                        <StatusBadge tone={state === 'BUILDING' ? 'running' : 'bad'} text={t(`indexState.${state}`)} />
                      )}
                    </span>
                  )
                })}
              </SpaceBetween>
            ),
          },
          ...(['World', 'Authenticated', 'Creator', 'Administrator'] as const).map(role => ({
            id: role,
            header: t(`roles.${role}`),
            minWidth: 80,
            cell: (type: TypeView) => <abbr title={t('types.letters')}>{rightsOf(type, role)}</abbr>,
          })),
          ...(mayEdit
            ? [
                {
                  id: 'actions',
                  header: t('types.actions'),
                  minWidth: 130,
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
