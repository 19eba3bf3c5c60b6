import Link from '@cloudscape-design/components/link'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import type { AttachmentView } from '../review-calls.ts'
import { useDeskObject } from './use-desk-object.ts'

/** A file the developer sent, with its name and size. */
export function DeskAttachment({ taskId, file }: { taskId: string; file: AttachmentView }) {
  const object = useDeskObject(taskId, file.objectId)
  return (
    <>
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
