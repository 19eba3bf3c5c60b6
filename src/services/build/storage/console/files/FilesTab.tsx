import Alert from '@cloudscape-design/components/alert'
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import SpaceBetween from '@cloudscape-design/components/space-between'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { pathProblem } from '../../rules.ts'
import { type BucketView, filesApi, useGeneration } from '../storage-calls.ts'
import { BrokenSends } from './BrokenSends.tsx'
import { FileDetail } from './FileDetail.tsx'
import { FileTable } from './FileTable.tsx'
import { NewFolder } from './NewFolder.tsx'
import { sendFile, transfers } from './uploads.ts'

const pageSize = 100

/** Folders and files of a bucket, with what is on its way into it. */
export function FilesTab({ bucket }: { bucket: BucketView }) {
  const { t } = useTranslation('build/storage')
  const calls = useGeneration()
  const { bucketId } = bucket
  const [{ prefix, q }, change] = usePageSearch(raw => ({
    prefix: typeof raw['prefix'] === 'string' ? raw['prefix'] : '',
    q: typeof raw['q'] === 'string' ? raw['q'] : '',
  }))
  const [typed, setTyped] = useState(q)
  const [markers, setMarkers] = useState<readonly string[]>([])
  const [shown, setShown] = useState<string | null>(null)
  const [isAdding, setAdding] = useState(false)
  const marker = markers.at(-1)
  const found = useCall(
    calls.listFiles,
    { body: { bucketId, prefix, maxKeys: pageSize, ...(q ? { search: q } : {}), ...(marker ? { marker } : {}) } },
    { keepBefore: true },
  )
  const go = (next: string) => {
    setMarkers([])
    setTyped('')
    change({ prefix: next, q: '' })
  }
  const search = (text: string) => {
    setMarkers([])
    change({ prefix, q: text })
  }
  const steps = prefix.split('/').slice(0, -1)
  return (
    <SpaceBetween size="l">
      <nav translate="no">
        <BreadcrumbGroup
          ariaLabel={t('files.where')}
          items={[
            { text: bucketId, href: '#' },
            ...steps.map((text, at) => ({ text, href: `#${steps.slice(0, at + 1).join('/')}/` })),
          ]}
          onFollow={event => {
            event.preventDefault()
            go(event.detail.href.slice(1))
          }}
        />
      </nav>
      <div className="lg-actions">
        <TextFilter
          filteringText={typed}
          filteringPlaceholder={t('files.search')}
          filteringAriaLabel={t('files.search')}
          onChange={({ detail }) => setTyped(detail.filteringText)}
          onDelayedChange={({ detail }) => search(detail.filteringText)}
        />
        <Can call={filesApi.createFolder}>
          <Button data-action="new-folder" onClick={() => setAdding(true)}>
            {t('files.newFolder')}
          </Button>
        </Can>
      </div>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !found.data && <PendingPage />}
      {found.data && (
        <FileTable
          bucketId={bucketId}
          folders={found.data.folders}
          files={found.data.files}
          showsPaths={q !== ''}
          onFolder={go}
          onFile={setShown}
        />
      )}
      {(markers.length > 0 || found.data?.nextMarker) && (
        <SpaceBetween direction="horizontal" size="xs">
          <Button disabled={markers.length === 0} onClick={() => setMarkers(markers.slice(0, -1))}>
            {t('files.before')}
          </Button>
          <Button
            disabled={!found.data?.nextMarker}
            onClick={() => found.data?.nextMarker && setMarkers([...markers, found.data.nextMarker])}
          >
            {t('files.after')}
          </Button>
        </SpaceBetween>
      )}
      {may('storage.edit') && <Sending bucketId={bucketId} prefix={prefix} />}
      {shown !== null && <FileDetail bucketId={bucketId} path={shown} onClose={() => setShown(null)} />}
      {isAdding && <NewFolder bucketId={bucketId} prefix={prefix} onClose={() => setAdding(false)} />}
    </SpaceBetween>
  )
}

function Sending({ bucketId, prefix }: { bucketId: string; prefix: string }) {
  const { t } = useTranslation('build/storage')
  const [replaces, setReplaces] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const all = useSyncExternalStore(transfers.subscribe, transfers.get)
  const refuse = (text: string) => setRefused(before => [...before, text])
  const take = (files: File[]) => {
    setRefused([])
    for (const file of files) {
      const path = prefix + file.name
      if (pathProblem(path) !== null) refuse(t('files.badName', { name: file.name }))
      else
        sendFile(bucketId, path, file, replaces).then(
          done => done === 'exists' && refuse(t('files.exists', { name: file.name })),
          error => refuse(errorText(error)),
        )
    }
  }
  return (
    <SpaceBetween size="s">
      {refused.length > 0 && (
        <Alert type="error" dismissible onDismiss={() => setRefused([])}>
          {refused.map(text => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      <BrokenSends bucketId={bucketId} />
      <FileDrop
        label={t('files.send')}
        hint={t('files.sendHint')}
        isMultiple
        onFiles={take}
        transfers={all.filter(one => one.bucketId === bucketId)}
      />
      <Checkbox checked={replaces} onChange={({ detail }) => setReplaces(detail.checked)}>
        {t('files.replace')}
      </Checkbox>
    </SpaceBetween>
  )
}
