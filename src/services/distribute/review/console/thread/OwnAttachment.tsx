import Link from '@cloudscape-design/components/link'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type AttachmentView, filesApi } from '../review-calls.ts'

const addressLifeMs = 45 * 60_000

/** A file of the team's own thread, by its name. */
export function OwnAttachment({ file }: { file: AttachmentView }) {
  const { objectId, fileName, sizeBytes } = file
  const found = useCall(filesApi.makeDownloadAddress, { body: { objectId } }, { staleTime: addressLifeMs })
  return (
    <>
      {found.data ? (
        <Link href={found.data.url} external>
          {fileName}
        </Link>
      ) : (
        <span>{fileName}</span>
      )}{' '}
      <span className="lg-soft">
        <ByteSize value={sizeBytes} />
      </span>
    </>
  )
}
