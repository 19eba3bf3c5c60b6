import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import type { FileTransfer } from '../../../../../console/kit/FileProgress.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { api, filesApi } from '../lifecycle-calls.ts'

const isVideo = (file: File) => /\.(mp4|mov)$/i.test(file.name)

/** Pictures or a video, sent and looked at. */
export function MediaCheck({ onDone }: { onDone: (taskId: string) => void }) {
  const { t } = useTranslation('distribute/lifecycle')
  const [transfers, setTransfers] = useState<readonly FileTransfer[]>([])
  const pictures = useAction(api.detectPictures, { onDone: ({ taskId }) => onDone(taskId) })
  const video = useAction(api.detectVideo, { onDone: ({ taskId }) => onDone(taskId) })
  const sendOne = async (file: File): Promise<string | null> => {
    const { name, size: sizeBytes } = file
    const show = (next: Partial<FileTransfer>) =>
      setTransfers(all => all.map(one => (one.id === name ? { ...one, ...next } : one)))
    try {
      const bizTag = isVideo(file) ? 'app_video' : 'app_img'
      const { urlsInfo } = await filesApi.uploadObject({
        query: { fileName: name, bizTag, size: sizeBytes },
        body: file,
      })
      show({ state: 'done', sentBytes: sizeBytes })
      return urlsInfo[0]?.objectId ?? null
    } catch (error) {
      show({ state: 'failed', error: errorText(error) })
      return null
    }
  }
  const take = async (files: File[]) => {
    const wanted = files.slice(0, limits.pictures)
    setTransfers(
      wanted.map(file => ({ id: file.name, name: file.name, sizeBytes: file.size, sentBytes: 0, state: 'sending' })),
    )
    const sent: { id: string; isVideo: boolean }[] = []
    for (const file of wanted) {
      const id = await sendOne(file)
      if (id !== null) sent.push({ id, isVideo: isVideo(file) })
    }
    const objectIds = sent.filter(one => !one.isVideo).map(one => one.id)
    const [film] = sent.filter(one => one.isVideo)
    if (objectIds.length > 0) await pictures.run({ body: { objectIds } })
    else if (film) await video.run({ body: { objectId: film.id } })
  }
  return (
    <Container header={<Header variant="h2">{t('media.title')}</Header>}>
      <FileDrop
        label={t('media.label')}
        hint={t('media.hint', { count: limits.pictures })}
        accept=".png,.jpg,.jpeg,.webp,.mp4,.mov"
        isMultiple
        onFiles={files => void take(files)}
        transfers={transfers}
      />
    </Container>
  )
}
