import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { SubmissionView } from '../review-calls.ts'
import { toneOfItem, versionName } from '../review-words.ts'
import { SlaClock } from '../SlaClock.tsx'

/** What was handed in together, each with its state, its clock and its place. */
export function ItemList({ submission }: { submission: SubmissionView }) {
  const { t } = useTranslation('distribute/review')
  const placeOf = new Map(submission.positions.map(one => [one.itemId, one.queuePosition]))
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${submission.items.length})`}>
          {t('items.title')}
        </Header>
      }
    >
      <ul className="review-items">
        {submission.items.map(item => (
          <li key={item.itemId} data-item={item.refId}>
            <span>
              <Link href={hrefOf('/apps/$appId/version/$versionId', { appId: item.appId, versionId: item.refId })}>
                {item.appName}
              </Link>{' '}
              <span className="lg-soft">{versionName(item)}</span>
            </span>
            <StatusBadge tone={toneOfItem[item.state]} text={t(`items.${item.state}`)} />
            <span className="lg-soft">
              {placeOf.has(item.itemId) && `${t('items.place')}: ${placeOf.get(item.itemId)} · `}
              {item.slaDueAt !== null && (
                <>
                  {t('items.due')}: <SlaClock slaDueAt={item.slaDueAt} pausedAt={item.pausedAt} isShort />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Container>
  )
}
