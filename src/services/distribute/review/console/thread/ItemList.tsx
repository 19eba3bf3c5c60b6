import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { ItemView, SubmissionView } from '../review-calls.ts'
import { toneOfItem, versionName } from '../review-words.ts'
import { SlaClock } from '../SlaClock.tsx'
import { AskButtons } from './AskButtons.tsx'
import { RemoveItem } from './RemoveItem.tsx'

/** What was handed in together, each with its state, its clock and its place. */
export function ItemList({ submission }: { submission: SubmissionView }) {
  const { t } = useTranslation('distribute/review')
  const [removed, setRemoved] = useState<ItemView | null>(null)
  const heldCount = submission.items.filter(item => item.isHeldBack).length
  const isHeld = heldCount > 0 && submission.items.some(item => item.state === 'REJECTED')
  const placeOf = new Map(submission.positions.map(one => [one.itemId, one.queuePosition]))
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${submission.items.length})`}>
          {t('items.title')}
        </Header>
      }
    >
      {submission.release === 'TOGETHER' && submission.allowedActions.length > 0 && (
        <div className="review-together">
          <Alert type={isHeld ? 'warning' : 'info'} header={t('items.together')}>
            {isHeld ? t('items.holding', { count: heldCount }) : t('items.togetherText')}
          </Alert>
        </div>
      )}
      <ul className="review-items">
        {submission.items.map(item => (
          <li key={item.itemId} data-item={item.refId}>
            <span>
              <Link href={hrefOf('/apps/$appId/version/$versionId', { appId: item.appId, versionId: item.refId })}>
                {item.appName}
              </Link>{' '}
              {item.versionCode !== null && <span className="lg-soft">{versionName(item)}</span>}
            </span>
            <StatusBadge
              tone={item.isHeldBack ? 'waiting' : toneOfItem[item.state]}
              text={item.isHeldBack ? t('items.heldBack') : t(`items.${item.state}`)}
            />
            <span className="lg-soft">
              {placeOf.has(item.itemId) && `${t('items.place')}: ${placeOf.get(item.itemId)} · `}
              {item.slaDueAt !== null && (
                <>
                  {t('items.due')}: <SlaClock slaDueAt={item.slaDueAt} pausedAt={item.pausedAt} isShort />
                </>
              )}
              <AskButtons submissionId={submission.submissionId} item={item} />
              {item.allowedActions.includes('remove') && (
                <SpaceBetween direction="horizontal" size="xs">
                  <Button
                    href={hrefOf('/apps/$appId/version/$versionId', { appId: item.appId, versionId: item.refId })}
                  >
                    {t('items.resubmit')}
                  </Button>
                  <Button data-action="remove" onClick={() => setRemoved(item)}>
                    {t('items.remove')}
                  </Button>
                </SpaceBetween>
              )}
            </span>
          </li>
        ))}
      </ul>
      {removed && <RemoveItem submissionId={submission.submissionId} item={removed} onClose={() => setRemoved(null)} />}
    </Container>
  )
}
