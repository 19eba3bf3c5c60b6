import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { filesApi } from '../review-calls.ts'

const addressLifeMs = 45 * 60_000

/** A file of the team's own thread. */
export function OwnAttachment({ objectId, number }: { objectId: string; number: number }) {
  const { t } = useTranslation('distribute/review')
  const found = useCall(filesApi.makeDownloadAddress, { body: { objectId } }, { staleTime: addressLifeMs })
  const name = t('thread.attachment', { number })
  return found.data ? (
    <Link href={found.data.url} external>
      {name}
    </Link>
  ) : (
    <span className="lg-soft">{name}</span>
  )
}
