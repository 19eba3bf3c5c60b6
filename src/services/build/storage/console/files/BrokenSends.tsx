import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'
import { currentTeamId } from '../../../../../console/session.ts'
import { arrivedOf, broken, discard, type KeptSend, transfers } from './uploads.ts'

/** Uploads to a bucket that a reload broke off: they go on when the same file is chosen again. */
export function BrokenSends({ bucketId }: { bucketId: string }) {
  const running = useSyncExternalStore(transfers.subscribe, transfers.get)
  const [gone, setGone] = useState<readonly string[]>([])
  const left = broken
    .all()
    .filter(
      one =>
        one.bucketId === bucketId &&
        one.teamId === (currentTeamId() ?? '') &&
        !gone.includes(one.nspUploadId) &&
        !running.some(other => other.uploadUrl === one.nspUploadId),
    )
  return left.map(one => (
    <BrokenSend key={one.nspUploadId} send={one} onGone={() => setGone([...gone, one.nspUploadId])} />
  ))
}

function BrokenSend({ send, onGone }: { send: KeptSend; onGone: () => void }) {
  const { t, i18n } = useTranslation()
  const { nspUploadId, objectId: name, sizeBytes } = send
  const arrived = useQuery({
    queryKey: ['build/storage', 'broken upload', nspUploadId],
    queryFn: () => arrivedOf(nspUploadId),
    retry: false,
  })
  const size = (bytes: number) => sizeText(bytes, i18n.resolvedLanguage as Language)
  const bytes = arrived.data?.bytes
  const drop = () => {
    void discard(nspUploadId)
    onGone()
  }
  return (
    <Alert
      type={bytes === null ? 'warning' : 'info'}
      header={t('broken.title', { name })}
      action={<Button onClick={drop}>{t('broken.drop')}</Button>}
    >
      {bytes === null
        ? t('broken.lost')
        : t('broken.text', { sent: bytes === undefined ? '…' : size(bytes), total: size(sizeBytes) })}
    </Alert>
  )
}
