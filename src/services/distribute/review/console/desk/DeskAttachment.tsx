import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { useDeskObject } from './use-desk-object.ts'

/** A file the developer sent, with its name and size. */
export function DeskAttachment({ taskId, objectId, number }: { taskId: string; objectId: string; number: number }) {
  const { t } = useTranslation('distribute/review')
  const object = useDeskObject(taskId, objectId)
  if (!object) return <span className="lg-soft">{t('thread.attachment', { number })}</span>
  return (
    <>
      <Link href={object.url} external>
        {object.fileName}
      </Link>{' '}
      <span className="lg-soft">
        <ByteSize value={object.sizeBytes} />
      </span>
    </>
  )
}
