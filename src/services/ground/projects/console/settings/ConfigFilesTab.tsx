import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { saveFile } from '../../../../../console/save-file.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type DevProjectView, type FileView, fileApi } from '../project-calls.ts'
import { NewConfigFile } from './NewConfigFile.tsx'

export function ConfigFilesTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const [isMaking, setMaking] = useState(false)
  const [doomed, setDoomed] = useState<FileView | null>(null)
  const table = useTableState({ id: 'config-files' })
  const result = useCall(fileApi.listConfigFiles, { query: { projectId } })
  const renew = useAction(fileApi.makeConfigFile)
  const remove = useAction(fileApi.deleteConfigFile, { onDone: () => setDoomed(null) })
  const make = (
    <Can call={fileApi.makeConfigFile}>
      <Button data-action="make-config-file" onClick={() => setMaking(true)}>
        {t('files.make')}
      </Button>
    </Can>
  )
  const actions = (row: FileView) => {
    const { configFileId, appId } = row
    return (
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant="inline-link"
          data-action="download-config-file"
          onClick={() =>
            void saveFile(fileApi.downloadConfigFile.raw({ query: { projectId, configFileId } }), row.fileName)
          }
        >
          {t('files.download')}
        </Button>
        {row.isStale && (
          <Button variant="inline-link" onClick={() => void renew.run({ body: { projectId, appId } })}>
            {t('files.renew')}
          </Button>
        )}
        <Button variant="inline-link" data-action="delete-config-file" onClick={() => setDoomed(row)}>
          {t('action.delete')}
        </Button>
      </SpaceBetween>
    )
  }
  return (
    <>
      <DataTable
        title={t('settings.tabs.files')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.configFileId}
        rowName={row => row.appName}
        empty={{ title: t('files.empty'), text: t('files.text') }}
        actions={make}
        columns={[
          {
            id: 'app',
            header: t('files.app'),
            isName: true,
            minWidth: 180,
            cell: row => <Link href={hrefOf('/apps/$appId', { appId: row.appId })}>{row.appName || row.appId}</Link>,
          },
          { id: 'package', header: t('files.package'), minWidth: 200, cell: row => <code>{row.packageName}</code> },
          {
            id: 'state',
            header: t('files.state'),
            minWidth: 170,
            cell: row => (
              <StatusBadge
                tone={row.isStale ? 'caution' : 'good'}
                text={row.isStale ? t('files.stale') : t('files.fresh')}
              />
            ),
          },
          { id: 'made', header: t('projects.created'), width: 160, cell: row => <When at={row.createdAt} /> },
          ...(may('projects.edit')
            ? [{ id: 'actions', header: t('properties.actions'), minWidth: 250, cell: actions }]
            : []),
        ]}
      />
      {isMaking && result.data && (
        <NewConfigFile projectId={projectId} apps={result.data.without} onClose={() => setMaking(false)} />
      )}
      {doomed && (
        <ConfirmByName
          title={t('files.deleteTitle', { name: doomed.appName })}
          name={doomed.packageName}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { projectId, configFileId: doomed.configFileId } })}
          onCancel={() => setDoomed(null)}
        >
          {t('files.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}
