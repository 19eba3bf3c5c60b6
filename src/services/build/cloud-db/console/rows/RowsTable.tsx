import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Pagination from '@cloudscape-design/components/pagination'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { saveFile } from '../../../../../console/save-file.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { TypeView } from '../../contract.ts'
import { databaseApi, type GridRow, rowsApi } from '../database-calls.ts'
import type { Condition } from './QueryBuilder.tsx'
import { RowDialog } from './RowDialog.tsx'
import { readValue } from './values.ts'

const pageRows = 25

interface RowsTableProps {
  projectId: string
  zone: string
  type: TypeView
  conditions: readonly Condition[]
  isBin: boolean
}

/** The grid: values are changed where they stand; a change of what somebody else changed is refused. */
export function RowsTable({ projectId, zone, type, conditions, isBin }: RowsTableProps) {
  const { t } = useTranslation('build/cloud-db')
  const place = { projectId, cloudDBZoneName: zone, objectTypeName: type.objectTypeName }
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<GridRow[]>([])
  const [dialog, setDialog] = useState<'new' | 'clear' | null>(null)
  const queryConditions = [
    ...conditions,
    { conditionType: 'Limit', value: { number: pageRows, offset: (page - 1) * pageRows } },
  ]
  const found = useCall(
    rowsApi.queryObjects,
    { body: { ...place, queryConditions, deleted: isBin, withTotal: true } },
    { keepBefore: true },
  )
  const done = () => {
    setChosen([])
    void found.refetch()
  }
  const put = useAction(rowsApi.putObject, { onDone: done })
  const remove = useAction(rowsApi.deleteObject, { onDone: done })
  const purge = useAction(rowsApi.purgeObjects, { onDone: done })
  const recover = useAction(rowsApi.recoverObjects, { onDone: done })
  const clear = useAction(rowsApi.deleteAllObjects, {
    invalidates: [databaseApi.listZones],
    onDone: () => {
      setDialog(null)
      done()
    },
  })
  const keys = type.fields.filter(one => one.belongPrimaryKey).map(one => one.fieldName)
  const keyOf = (row: GridRow) => Object.fromEntries(keys.map(name => [name, row[name]]))
  const keyText = (row: GridRow) => keys.map(name => String(row[name])).join(' / ')
  const objects = chosen.map(keyOf)
  const total = found.data?.total ?? 0
  const cutOf = (row: GridRow) => (row['naturalbase_cut'] as string[] | undefined) ?? []
  const columns = type.fields.map(field => {
    const { fieldName, fieldType, belongPrimaryKey, isNeedEncrypt } = field
    const isFixed = isBin || belongPrimaryKey === true || isNeedEncrypt === true || fieldType === 'ByteArray'
    return {
      id: fieldName,
      header: `${fieldName}${belongPrimaryKey ? ' *' : ''}`,
      isRowHeader: fieldName === keys[0],
      minWidth: 130,
      cell: (row: GridRow) => (
        <CellView
          value={row[fieldName]}
          isCut={cutOf(row).includes(fieldName)}
          onLoad={() =>
            void saveFile(rowsApi.loadField.raw({ body: { ...place, primaryKey: keyOf(row), fieldName } }), fieldName)
          }
        />
      ),
      ...(!isFixed && {
        editConfig: {
          ariaLabel: `${t('data.edit')} ${fieldName}`,
          disabledReason: (row: GridRow) => (cutOf(row).includes(fieldName) ? t('data.cut') : undefined),
          editingCell: (row: GridRow, { currentValue, setValue }: TableProps.CellContext<string>) => (
            <Input
              autoFocus
              ariaLabel={fieldName}
              value={currentValue ?? String(row[fieldName] ?? '')}
              onChange={({ detail }) => setValue(detail.value)}
            />
          ),
        },
      }),
    }
  })
  const submitEdit = async (row: GridRow, column: { id?: string }, text: unknown) => {
    const field = type.fields.find(one => one.fieldName === column.id)
    if (!field || text === undefined) return
    const value =
      text === '' && field.fieldType !== 'String' && field.fieldType !== 'Text'
        ? null
        : readValue(field.fieldType, String(text))
    await put.run({
      body: {
        ...place,
        operation: 'UPDATE',
        object: { ...keyOf(row), [field.fieldName]: value },
        version: String(row['naturalbase_version']),
      },
    })
  }
  return (
    <>
      <Table<GridRow>
        items={(found.data?.data ?? []) as GridRow[]}
        loading={found.isPending}
        loadingText={t('loading')}
        trackBy={keyText}
        resizableColumns
        selectionType="multi"
        selectedItems={chosen}
        onSelectionChange={({ detail }) => setChosen([...detail.selectedItems])}
        submitEdit={submitEdit}
        columnDefinitions={columns as TableProps.ColumnDefinition<GridRow>[]}
        ariaLabels={{
          tableLabel: type.objectTypeName,
          selectionGroupLabel: t('data.choose'),
          allItemsSelectionLabel: () => t('data.chooseAll'),
          itemSelectionLabel: (_state, row) => keyText(row),
          activateEditLabel: (column, row) => `${t('data.edit')} ${column.id} ${keyText(row)}`,
          cancelEditLabel: () => t('data.cancelEdit'),
          submitEditLabel: () => t('data.submitEdit'),
        }}
        empty={
          found.error ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <EmptyState title={t(isBin ? 'data.binEmpty' : 'data.empty')} />
          )
        }
        pagination={
          <Pagination
            currentPageIndex={page}
            pagesCount={Math.max(1, Math.ceil(total / pageRows))}
            onChange={({ detail }) => setPage(detail.currentPageIndex)}
            ariaLabels={{
              paginationLabel: t('data.pages'),
              nextPageLabel: t('data.next'),
              previousPageLabel: t('data.previous'),
            }}
          />
        }
        header={
          <Header
            variant="h2"
            counter={found.data ? `(${total})` : ''}
            actions={
              <div className="lg-actions">
                <Button iconName="refresh" ariaLabel={t('data.refresh')} onClick={() => void found.refetch()} />
                {isBin ? (
                  <>
                    <Button
                      disabled={chosen.length === 0}
                      loading={purge.isRunning}
                      onClick={() => void purge.run({ body: { ...place, objects } })}
                    >
                      {t('bin.purge')}
                    </Button>
                    <Button
                      variant="primary"
                      disabled={chosen.length === 0}
                      loading={recover.isRunning}
                      onClick={() => void recover.run({ body: { ...place, primaryKeys: objects } })}
                    >
                      {t('bin.recover')}
                    </Button>
                  </>
                ) : (
                  <>
                    <Button onClick={() => setDialog('clear')}>{t('data.clear')}</Button>
                    <Button
                      disabled={chosen.length === 0}
                      loading={remove.isRunning}
                      onClick={() => void remove.run({ body: { ...place, objects } })}
                    >
                      {t('data.delete')}
                    </Button>
                    <Button variant="primary" onClick={() => setDialog('new')} data-action="cloudDb.addRow">
                      {t('data.add')}
                    </Button>
                  </>
                )}
              </div>
            }
          >
            <span translate="no">{type.objectTypeName}</span>
          </Header>
        }
      />
      {dialog === 'new' && <RowDialog type={type} place={place} onClose={() => setDialog(null)} onDone={done} />}
      {dialog === 'clear' && (
        <ConfirmByName
          title={t('data.clear')}
          name={type.objectTypeName}
          verb={t('data.clear')}
          isRunning={clear.isRunning}
          onCancel={() => setDialog(null)}
          onConfirm={() => void clear.run({ query: { ...place, confirm: type.objectTypeName } })}
        >
          {clear.error ? errorText(clear.error) : t('data.clearText')}
        </ConfirmByName>
      )}
    </>
  )
}

function CellView({ value, isCut, onLoad }: { value: unknown; isCut: boolean; onLoad: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  if (value === null || value === undefined) return <i>null</i>
  return (
    <span translate="no">
      {String(value)}
      {isCut && (
        <Button variant="inline-link" onClick={onLoad}>
          {t('data.whole')}
        </Button>
      )}
    </span>
  )
}
