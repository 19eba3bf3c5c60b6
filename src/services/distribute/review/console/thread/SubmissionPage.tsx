import '../review.css'
import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { threads } from '../review-calls.ts'
import { nameOfItem, toneOfSubmission, versionName } from '../review-words.ts'
import { AskButtons } from './AskButtons.tsx'
import { ItemList } from './ItemList.tsx'
import { OwnAttachment } from './OwnAttachment.tsx'
import { ReplyBox } from './ReplyBox.tsx'
import { SubmissionFacts } from './SubmissionFacts.tsx'
import { Thread } from './Thread.tsx'

const readSearch = (raw: Record<string, unknown>) => ({
  submissionId: raw['submissionId'] as string | undefined,
  versionId: raw['versionId'] as string | undefined,
})

/** One review with its thread: the one the address names, else the newest of the app. */
export default function SubmissionPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/review')
  const [{ submissionId, versionId }] = usePageSearch(readSearch)
  const which = submissionId ? { submissionId } : versionId ? { versionId } : { appId }
  const thread = useCall(threads.getSubmission, { query: which }, { refetchInterval: 15_000 })
  const policies = useCall(threads.listPolicyTitles, {}, { staleTime: Number.POSITIVE_INFINITY })
  const toVersions = (
    <Link variant="primary" href={hrefOf('/apps/$appId/version', { appId })}>
      {t('thread.toVersion')}
    </Link>
  )
  if (thread.error?.status === 404) {
    return <EmptyState level="h1" title={t('thread.none')} text={t('thread.noneText')} action={toVersions} />
  }
  if (thread.error) return <ErrorState error={thread.error} onRetry={() => void thread.refetch()} />
  if (!thread.data) return <PendingPage />
  const submission = thread.data
  const { items } = submission
  const action = submission.allowedActions[0]
  const [first] = items
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={titleOf(submission, first ? t('thread.titleOf', { version: versionName(first) }) : t('thread.title'))}
        status={<StatusBadge tone={toneOfSubmission[submission.state]} text={t(`submission.${submission.state}`)} />}
        actions={
          <>
            {first && items.length === 1 && <AskButtons submissionId={submission.submissionId} item={first} />}
            <Link href={hrefOf('/submissions')}>{t('submissions.toList')}</Link>
            {items.length === 1 && (
              <Link
                variant="primary"
                href={hrefOf('/apps/$appId/version/$versionId', {
                  appId: first?.appId ?? appId,
                  versionId: submission.versionId,
                })}
              >
                {t('thread.toVersion')}
              </Link>
            )}
          </>
        }
      />
      {submission.waitingFor && submission.state !== 'UNRESOLVED' && (
        <Alert type="warning" header={t('thread.asked')}>
          {t('thread.askedText')}
        </Alert>
      )}
      {submission.state === 'UNRESOLVED' && (
        <Alert type="error" header={t('thread.unresolved')}>
          {t('thread.unresolvedText')}
        </Alert>
      )}
      <SubmissionFacts submission={submission} />
      {items.length > 1 && <ItemList submission={submission} />}
      <Container header={<Header variant="h2">{t('thread.title')}</Header>}>
        <SpaceBetween size="l">
          {submission.messages.length === 0 ? (
            <EmptyState title={t('thread.quiet')} text={t('thread.quietText')} />
          ) : (
            <Thread
              messages={submission.messages}
              policies={policies.data?.list}
              reader="developer"
              about={itemId => nameOfItem(items, itemId)}
              attachment={file => <OwnAttachment file={file} />}
            />
          )}
          {action && <ReplyBox submissionId={submission.submissionId} action={action} />}
          {!action && submission.state !== 'WAITING' && <p className="lg-soft">{t('thread.closed')}</p>}
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}

function titleOf(submission: { title: string; items: readonly unknown[] }, usual: string): string {
  return submission.items.length > 1 && submission.title ? submission.title : usual
}
