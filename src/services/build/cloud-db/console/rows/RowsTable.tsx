import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Pagination from '@cloudscape-design/components/pagination'
import Table, { type TableProps } from '@cloudscape-design/components/table'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { saveFile } from '../../../../../console/save-file.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { TypeView } from '../../contract.ts'
import { type FieldType, isLong, isWords } from '../../schema/rules.ts'
import { databaseApi, type GridRow, rowsApi } from '../database-calls.ts'
import { CellInput } from './CellInput.tsx'
import { CellView } from './CellView.tsx'
import type { Condition } from './QueryBuilder.tsx'
import { RemoveRows } from './RemoveRows.tsx'
import { RowDialog } from './RowDialog.tsx'
import { readValue } from './values.ts'

const pageRows = 25

/** Room for a value and, while it is written, for its buttons. */
const widthOf = (type: FieldType) => (isWords(type) ? 220 : isLong(type) || type === 'Date' ? 210 : 170)

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
  const [dialog, setDialog] = useState<'new' | 'remove' | 'clear' | null>(null)
  const queryConditions = [
    ...conditions,
    { conditionType: 'Limit', value: { number: pageRows, offset: (page - 1) * pageRows } },
  ]
  const found = useCall(
    rowsApi.queryObjects,
    { body: { ...place, queryConditions, deleted: isBin, withTotal: true } },
    { keepBefore: true },
  )
  const done = () => setChosen([])
  const put = useAction(rowsApi.putObject, { errors: 'form', invalidates: [rowsApi.queryObjects], onDone: done })
  /** The version that stood there when somebody began to write; null once he was told that there is another. */
  const seenVersion = useRef<string | null>(null)
  const [written, setWritten] = useState<{ cell: string; text: string } | null>(null)
  const cellOf = (row: GridRow, fieldName: string) => `${keyText(row)} ${fieldName}`
  const recover = useAction(rowsApi.recoverObjects, { onDone: done })
  const clear = useAction(rowsApi.deleteAllObjects, {
    invalidates: [databaseApi.listZones, rowsApi.queryObjects],
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
  const pages = Math.max(1, Math.ceil(total / pageRows))
  // The rows of the last page went.
  if (found.data && !found.isPlaceholderData && page > pages) setPage(pages)
  const cutOf = (row: GridRow) => (row['naturalbase_cut'] as string[] | undefined) ?? []
  const columns = type.fields.map(field => {
    const { fieldName, fieldType, belongPrimaryKey, isNeedEncrypt } = field
    const isFixed = isBin || belongPrimaryKey === true || isNeedEncrypt === true || fieldType === 'ByteArray'
    return {
      id: fieldName,
      header: `${fieldName}${belongPrimaryKey ? ' *' : ''}`,
      isRowHeader: fieldName === keys[0],
      width: widthOf(fieldType),
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
          errorIconAriaLabel: t('data.refused'),
          // What was refused stays in the cell with the reason until it is written otherwise.
          validation: (row: GridRow, text: string | undefined) =>
            put.error && written?.cell === cellOf(row, fieldName) && written.text === text
              ? errorText(put.error)
              : undefined,
          editingCell: (row: GridRow, { currentValue, setValue }: TableProps.CellContext<string>) => (
            <CellInput
              field={field}
              value={currentValue ?? String(row[fieldName] ?? '')}
              onOpen={() => {
                seenVersion.current = String(row['naturalbase_version'])
              }}
              onChange={setValue}
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
    setWritten({ cell: cellOf(row, field.fieldName), text: String(text) })
    const answer = await put.run({
      body: {
        ...place,
        operation: 'UPDATE',
        object: { ...keyOf(row), [field.fieldName]: value },
        version: seenVersion.current ?? String(row['naturalbase_version']),
      },
    })
    if (answer) return
    // The table keeps a cell open whose writing fails, and below it stands what is there now.
    seenVersion.current = null
    void found.refetch()
    throw new Error('refused')
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
            pagesCount={pages}
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
                      data-action="cloudDb.purgeRows"
                      onClick={() => setDialog('remove')}
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
                      data-action="cloudDb.deleteRows"
                      onClick={() => setDialog('remove')}
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
      {dialog === 'remove' && (
        <RemoveRows place={place} objects={objects} isBin={isBin} onDone={done} onClose={() => setDialog(null)} />
      )}
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
