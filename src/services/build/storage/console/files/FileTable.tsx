import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Table from '@cloudscape-design/components/table'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useIsNarrow } from '../../../../../console/shell/use-is-narrow.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import { api, type FileView, useGeneration } from '../storage-calls.ts'

interface Row {
  path: string
  name: string
  file: FileView | null
}

interface FileTableProps {
  bucketId: string
  folders: readonly { path: string; name: string }[]
  files: readonly FileView[]
  /** Where they come from several folders. */
  showsPaths: boolean
  onFolder: (prefix: string) => void
  onFile: (path: string) => void
}

/** Folders first, then files; what is ticked can be deleted. */
export function FileTable({ bucketId, folders, files, showsPaths, onFolder, onFile }: FileTableProps) {
  const { t } = useTranslation('build/storage')
  const calls = useGeneration()
  const isNarrow = useIsNarrow()
  const [chosen, setChosen] = useState<readonly Row[]>([])
  const [isAsking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<string | null>(null)
  const remove = useAction(calls.deleteFiles, {
    onDone: answer => {
      setAsking(false)
      setChosen([])
      setJobId(answer.jobId)
      for (const one of answer.errorObjects) notify({ tone: 'error', text: `${one.path}: ${one.msg}` })
    },
  })
  const rows: Row[] = [
    ...folders.map(({ path, name }) => ({ path, name, file: null })),
    ...files.map(file => ({ path: file.path, name: file.name, file })),
  ]
  const here = chosen.filter(one => rows.some(row => row.path === one.path))
  return (
    <>
      {jobId !== null && (
        <ProgressOfJob
          label={t('files.deleting')}
          call={api.queryJob}
          input={{ body: { jobId, kind: 'storage.deletePrefixes' } }}
          read={({ state, percent }) => ({
            state: state === 'queued' ? 'waiting' : state === 'canceled' ? 'failed' : state,
            percent,
          })}
          onDone={() => {
            setJobId(null)
            void queryClient.invalidateQueries({ queryKey: ['build/storage'] })
          }}
        />
      )}
      <Table
        items={rows}
        trackBy="path"
        selectionType="multi"
        selectedItems={here}
        onSelectionChange={({ detail }) => setChosen(detail.selectedItems)}
        ariaLabels={{
          tableLabel: t('bucketTabs.files'),
          selectionGroupLabel: t('files.choose'),
          allItemsSelectionLabel: () => t('files.chooseAll'),
          itemSelectionLabel: (_all, row) => t('files.chooseOne', { name: row.name }),
        }}
        header={
          <Header
            variant="h2"
            actions={
              <Can call={calls.deleteFiles}>
                <Button data-action="delete-files" disabled={here.length === 0} onClick={() => setAsking(true)}>
                  {t('delete')}
                </Button>
              </Can>
            }
          >
            {t('bucketTabs.files')}
          </Header>
        }
        columnDisplay={['name', 'type', 'size', 'at'].map(id => ({
          id,
          visible: !isNarrow || id === 'name' || id === 'size',
        }))}
        columnDefinitions={[
          {
            id: 'name',
            header: t('files.name'),
            minWidth: isNarrow ? 120 : 200,
            isRowHeader: true,
            cell: row => (
              <span translate="no" className="storage-path">
                <Link
                  href={`#${row.path}`}
                  onFollow={event => {
                    event.preventDefault()
                    if (row.file) onFile(row.path)
                    else onFolder(row.path)
                  }}
                >
                  {row.file ? (showsPaths ? row.path : row.name) : `${row.name}/`}
                </Link>
              </span>
            ),
          },
          {
            id: 'type',
            header: t('files.type'),
            width: 200,
            cell: row => <span translate="no">{row.file?.contentType ?? t('files.folder')}</span>,
          },
          {
            id: 'size',
            header: t('buckets.size'),
            width: 130,
            cell: row => (row.file ? <ByteSize value={row.file.size} /> : '—'),
          },
          { id: 'at', header: t('files.changed'), width: 180, cell: row => <When at={row.file?.updatedAt ?? null} /> },
        ]}
        empty={<EmptyState title={t(showsPaths ? 'files.noneFound' : 'files.empty')} />}
      />
      {isAsking && (
        <ConfirmByName
          title={t('files.deleteTitle', { count: here.length })}
          name={here[0]?.name ?? ''}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() =>
            void remove.run({
              body: {
                bucketId,
                paths: here.filter(one => one.file).map(one => one.path),
                prefixes: here.filter(one => !one.file).map(one => one.path),
              },
            })
          }
          onCancel={() => setAsking(false)}
        >
          {t('files.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
