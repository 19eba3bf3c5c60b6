import './files.css'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { BizTag } from '../rules.ts'
import { FileDetail } from './detail/FileDetail.tsx'
import { RemoveFile } from './detail/RemoveFile.tsx'
import { FileTable } from './FileTable.tsx'
import { api, partCalls } from './file-calls.ts'
import { NewFiles } from './new/NewFiles.tsx'
import { useApps } from './use-apps.ts'

interface Search {
  zone?: string
  /** The file whose detail is open. */
  file?: string
  page?: string
  cursor?: string
}

/** Everything the team keeps in a zone: what apps refer to, and what has come and waits for its use. */
export default function FilesPage() {
  const { t } = useTranslation('ground/files')
  const [search, change] = usePageSearch<Search>(raw => raw as Search)
  const table = useTableState<'kind' | 'app'>({ id: 'files', filters: ['kind', 'app'] })
  const [removedId, setRemovedId] = useState<string>()
  const { kind, app } = table.filters
  const query = { ...table.page, ...(kind && { bizTag: kind as BizTag }), ...(app && { appId: app }) }
  const result = useCall(api.listObjects, { query }, { keepBefore: true })
  const files = result.data?.list ?? []
  const { zone, zones, names, apps } = useApps([app, ...files.map(file => file.appId)])
  const removed = files.find(file => file.objectId === removedId)
  const close = () => change({ file: undefined })
  const remove = (objectId: string) => {
    close()
    setRemovedId(objectId)
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('page.title')} description={t('page.text')} />
      {zones.length > 1 && (
        <SegmentedControl
          label={t('page.zone')}
          selectedId={zone}
          options={zones.map(one => ({ id: one, text: t(`zones.${one}`, { ns: 'console' }) }))}
          onChange={({ detail }) =>
            change({ zone: detail.selectedId, page: undefined, cursor: undefined, file: undefined })
          }
        />
      )}
      <Can call={partCalls.beginUpload}>
        <NewFiles key={zone} />
      </Can>
      <FileTable
        table={table}
        result={result}
        apps={apps}
        names={names}
        zone={zone}
        onOpen={file => change({ file: file.objectId })}
        onRemove={file => remove(file.objectId)}
      />
      {search.file && (
        <FileDetail
          key={search.file}
          objectId={search.file}
          file={files.find(file => file.objectId === search.file)}
          isLoading={result.isPending}
          names={names}
          onClose={close}
          onRemove={remove}
        />
      )}
      {removed && <RemoveFile file={removed} onEnd={() => setRemovedId(undefined)} />}
    </SpaceBetween>
  )
}
