import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import type { AttachmentView } from '../review-calls.ts'
import { useDeskObject } from './use-desk-object.ts'

/** A file the developer sent, with its name and size. */
export function DeskAttachment({ taskId, file }: { taskId: string; file: AttachmentView }) {
  const object = useDeskObject(taskId, file.objectId)
  const { t } = useTranslation('distribute/review')
  return (
    <>
      {object?.mime.startsWith('image/') && <img className="review-media" src={object.url} alt={file.fileName} />}
      {object?.mime.startsWith('video/') && (
        // biome-ignore lint/a11y/useMediaCaption: what developers send has no captions
        <video
          className="review-media"
          src={object.url}
          controls
          preload="metadata"
          aria-label={t('media.video', { name: file.fileName })}
        />
      )}
      {object ? (
        <Link href={object.url} external>
          {file.fileName}
        </Link>
      ) : (
        <span>{file.fileName}</span>
      )}{' '}
      <span className="lg-soft">
        <ByteSize value={file.sizeBytes} />
      </span>
    </>
  )
}
