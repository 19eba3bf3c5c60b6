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
import { threads, versionsApi } from '../review-calls.ts'
import { toneOfSubmission, versionName } from '../review-words.ts'
import { OwnAttachment } from './OwnAttachment.tsx'
import { ReplyBox } from './ReplyBox.tsx'
import { SubmissionFacts } from './SubmissionFacts.tsx'
import { Thread } from './Thread.tsx'

const readSearch = (raw: Record<string, unknown>) => ({ versionId: raw['versionId'] as string | undefined })

export default function SubmissionPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/review')
  const [{ versionId: wanted }] = usePageSearch(readSearch)
  const found = useCall(versionsApi.getVersion, { query: { appId, ...(wanted && { versionId: wanted }) } })
  const version = found.data?.version
  const versionId = version?.versionId ?? ''
  const isSent = version !== undefined && version !== null && version.submittedAt !== null
  const thread = useCall(threads.getSubmission, { query: { versionId } }, { enabled: isSent, refetchInterval: 15_000 })
  const policies = useCall(threads.listPolicyTitles, {}, { staleTime: Number.POSITIVE_INFINITY })
  const toVersion = version && (
    <Link variant="primary" href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId })}>
      {t('thread.toVersion')}
    </Link>
  )

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (found.data && !version) return <EmptyState level="h1" title={t('thread.none')} text={t('thread.noneText')} />
  if (thread.error?.status === 404 || (version && !isSent)) {
    return <EmptyState level="h1" title={t('thread.none')} text={t('thread.noneText')} action={toVersion} />
  }
  if (thread.error) return <ErrorState error={thread.error} onRetry={() => void thread.refetch()} />
  if (!version || !thread.data) return <PendingPage />
  const submission = thread.data
  const action = submission.allowedActions[0]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('thread.titleOf', { version: versionName(version) })}
        status={<StatusBadge tone={toneOfSubmission[submission.state]} text={t(`submission.${submission.state}`)} />}
        actions={toVersion}
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
      <Container header={<Header variant="h2">{t('thread.title')}</Header>}>
        <SpaceBetween size="l">
          {submission.messages.length === 0 ? (
            <EmptyState title={t('thread.quiet')} text={t('thread.quietText')} />
          ) : (
            <Thread
              messages={submission.messages}
              policies={policies.data?.list}
              reader="developer"
              attachment={(objectId, number) => <OwnAttachment objectId={objectId} number={number} />}
            />
          )}
          {action && <ReplyBox versionId={versionId} action={action} />}
          {!action && submission.state !== 'WAITING' && <p className="lg-soft">{t('thread.closed')}</p>}
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}
