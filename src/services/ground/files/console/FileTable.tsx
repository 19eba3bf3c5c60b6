import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { ThingIcon } from '../../../../console/kit/ThingIcon.tsx'
import type { ListResult, TableColumn } from '../../../../console/kit/table-parts.ts'
import type { TableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { bizTags } from '../rules.ts'
import { AppName } from './AppName.tsx'
import { api, type FileView } from './file-calls.ts'
import { kindOf } from './file-words.ts'
import { SaveFile } from './SaveFile.tsx'
import { usePicturesOf } from './use-pictures.ts'

interface FileTableProps {
  table: TableState<'kind' | 'app'>
  result: ListResult<FileView>
  /** Apps to filter by. */
  apps: readonly { id: string; name: string }[]
  names: ReadonlyMap<string, string>
  zone: ZoneId
  onOpen: (file: FileView) => void
  onRemove: (file: FileView) => void
}

export function FileTable({ table, result, apps, names, zone, onOpen, onRemove }: FileTableProps) {
  const { t } = useTranslation('ground/files')
  const pictures = usePicturesOf(result.data?.list ?? [], '64')
  const chosen = table.filters.app
  const toChoose = new Map(apps.map(app => [app.id, app.name]))
  if (chosen && !toChoose.has(chosen)) toChoose.set(chosen, names.get(chosen) ?? chosen)
  const columns: TableColumn<FileView>[] = [
    {
      id: 'name',
      header: t('table.name'),
      isName: true,
      minWidth: 220,
      cell: file => (
        <span className="lg-thing-line">
          <ThingIcon name={file.fileName.split('.').at(-1) ?? file.fileName} url={pictures.get(file.objectId)} />
          <Link
            data-action="openFile"
            href={hrefOf('/files', {}, { file: file.objectId })}
            onFollow={event => {
              event.preventDefault()
              onOpen(file)
            }}
          >
            <span className="files-name" translate="no">
              {file.fileName}
            </span>
          </Link>
        </span>
      ),
    },
    { id: 'kind', header: t('table.kind'), width: 160, cell: kindOf },
    { id: 'size', header: t('table.size'), width: 115, cell: file => <ByteSize value={file.size} /> },
    {
      id: 'app',
      header: t('table.app'),
      width: 160,
      cell: file => <AppName appId={file.appId} names={names} zone={zone} />,
    },
    { id: 'made', header: t('table.made'), width: 155, cell: file => <When at={file.createdAt} /> },
    {
      id: 'expires',
      header: t('table.expires'),
      width: 155,
      cell: file => (file.expireAt === null ? t('table.never') : <When at={file.expireAt} />),
    },
    {
      id: 'actions',
      header: t('table.actions'),
      width: 110,
      cell: file => (
        <span className="files-actions">
          <SaveFile file={file} variant="inline-icon" />
          {!file.isHeld && (
            <Can call={api.deleteObjects}>
              <Button
                data-action="deleteFile"
                variant="inline-icon"
                iconName="remove"
                ariaLabel={t('remove.of', { name: file.fileName })}
                onClick={() => onRemove(file)}
              />
            </Can>
          )}
        </span>
      ),
    },
  ]
  return (
    <DataTable
      title={t('table.title')}
      table={table}
      result={result}
      columns={columns}
      rowKey={file => file.objectId}
      rowName={file => file.fileName}
      filters={[
        { id: 'kind', label: t('table.kind'), options: bizTags.map(tag => ({ value: tag, label: t(`kinds.${tag}`) })) },
        { id: 'app', label: t('table.app'), options: [...toChoose].map(([value, label]) => ({ value, label })) },
      ]}
      empty={{ title: t('table.empty'), text: t('table.emptyText') }}
    />
  )
}
