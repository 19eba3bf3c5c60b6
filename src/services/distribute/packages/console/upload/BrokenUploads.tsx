import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'
import { currentTeamId } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { fileCalls } from '../package-calls.ts'
import { forgetUpload, type KeptUpload, keptUploads } from './kept-uploads.ts'
import { removeUpload, uploads } from './uploads.ts'

/** Uploads that a reload broke off: a browser gives no file back by itself, so the person chooses it once more. */
export function BrokenUploads({ appId }: { appId: string }) {
  const running = useSyncExternalStore(uploads.subscribe, uploads.get)
  const [gone, setGone] = useState<readonly string[]>([])
  const broken = keptUploads().filter(
    one =>
      one.appId === appId &&
      one.teamId === currentTeamId() &&
      !gone.includes(one.nspUploadId) &&
      !running.some(other => other.nspUploadId === one.nspUploadId),
  )
  return broken.map(one => (
    <BrokenUpload key={one.nspUploadId} upload={one} onGone={() => setGone([...gone, one.nspUploadId])} />
  ))
}

function BrokenUpload({ upload, onGone }: { upload: KeptUpload; onGone: () => void }) {
  const { t, i18n } = useTranslation('distribute/packages')
  const { objectId, nspUploadId, zone, fileName: name, sizeBytes, isComposed } = upload
  const parts = useCall(
    fileCalls.listParts,
    { query: { objectId, nspUploadId } },
    { enabled: !isComposed, retry: false, ...(zone && { zone }) },
  )
  const size = (bytes: number) => sizeText(bytes, i18n.resolvedLanguage as Language)
  const sent = isComposed ? sizeBytes : parts.data?.received.reduce((sum, part) => sum + part.size, 0)
  const drop = () => {
    if (parts.error) forgetUpload(nspUploadId)
    else void removeUpload(upload)
    onGone()
  }
  return (
    <Alert
      type={parts.error ? 'warning' : 'info'}
      header={t('broken.title', { name })}
      action={<Button onClick={drop}>{t('broken.drop')}</Button>}
    >
      {parts.error
        ? t('broken.lost')
        : t('broken.text', { sent: sent === undefined ? '…' : size(sent), total: size(sizeBytes) })}
    </Alert>
  )
}
