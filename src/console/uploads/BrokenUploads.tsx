import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../kit/ByteSize.tsx'
import type { Language } from '../language.ts'
import { currentTeamId } from '../session.ts'
import type { KeptUpload } from './kept-uploads.ts'
import type { Uploads } from './uploads.ts'

interface BrokenUploadsProps<Wish, Made> {
  uploads: Uploads<Wish, Made>
  isHere: (one: Wish) => boolean
}

/** Uploads that a reload broke off: a browser gives no file back by itself, so the person chooses it once more. */
export function BrokenUploads<Wish, Made>({ uploads, isHere }: BrokenUploadsProps<Wish, Made>) {
  const running = useSyncExternalStore(uploads.store.subscribe, uploads.store.get)
  const [gone, setGone] = useState<readonly string[]>([])
  const broken = uploads.memory
    .all()
    .filter(
      one =>
        isHere(one) &&
        one.teamId === currentTeamId() &&
        !gone.includes(one.nspUploadId) &&
        !running.some(other => other.nspUploadId === one.nspUploadId),
    )
  return broken.map(one => (
    <BrokenUpload
      key={one.nspUploadId}
      upload={one}
      uploads={uploads}
      onGone={() => setGone([...gone, one.nspUploadId])}
    />
  ))
}

interface BrokenUploadProps {
  upload: KeptUpload
  uploads: Pick<Uploads<never, never>, 'calls' | 'remove'> & { memory: { forget: (id: string) => void } }
  onGone: () => void
}

function BrokenUpload({ upload, uploads, onGone }: BrokenUploadProps) {
  const { t, i18n } = useTranslation()
  const { objectId, nspUploadId, zone, fileName: name, sizeBytes, isComposed } = upload
  const { listParts } = uploads.calls
  const parts = useQuery({
    queryKey: [listParts.service, 'broken upload', nspUploadId],
    queryFn: ({ signal }) => listParts({ query: { objectId, nspUploadId } }, { signal, ...(zone && { zone }) }),
    enabled: !isComposed,
    retry: false,
  })
  const size = (bytes: number) => sizeText(bytes, i18n.resolvedLanguage as Language)
  const sent = isComposed ? sizeBytes : parts.data?.received.reduce((sum, part) => sum + part.size, 0)
  const drop = () => {
    if (parts.error) uploads.memory.forget(nspUploadId)
    else void uploads.remove(upload)
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
