import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../rules.ts'
import { submissionsApi, type VersionView } from './version-calls.ts'

/** With the store: how far it is, when an answer is due, whether it waits for the developer. */
export function ReviewPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId, state } = version
  const isInReview = state === 'IN_REVIEW'
  const found = useCall(
    submissionsApi.getSubmission,
    { query: { versionId } },
    { enabled: isInReview, refetchInterval: 15_000, retry: false },
  )
  const thread = hrefOf('/apps/$appId/submission', { appId }, { versionId })
  const submission = found.data
  const nobody = submission?.waitingFor ? t('review.paused') : t('review.taken')
  return (
    <Container
      header={
        <Header variant="h2" actions={isInReview && <Link href={thread}>{t('review.thread')}</Link>}>
          {t('review.title')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {submission?.waitingFor && (
          <Alert type="warning" action={<Link href={thread}>{t('review.answer')}</Link>}>
            {t('review.asked')}
          </Alert>
        )}
        {isInReview ? (
          <KeyValuePairs
            columns={3}
            minColumnWidth={170}
            items={[
              { label: t('review.submitted'), value: <When at={version.submittedAt} /> },
              { label: t('review.due'), value: <When at={submission?.slaDueAt ?? version.slaDueAt} show="both" /> },
              {
                label: t('review.place'),
                value: submission ? (submission.queuePosition ?? nobody) : '–',
              },
            ]}
          />
        ) : (
          <StatusBadge tone="running" text={t('precheck.running', { minutes: limits.precheckMs / 60_000 })} />
        )}
        {version.urgeAvailableAt !== null && !version.allowedActions.includes('urge') && (
          <span className="lg-soft">
            {version.urgeCount < limits.urgesOfSubmission ? (
              <>
                {t('review.urgeFrom')} <When at={version.urgeAvailableAt} show="both" />
              </>
            ) : (
              t('review.urgedOften', { count: version.urgeCount })
            )}
          </span>
        )}
      </SpaceBetween>
    </Container>
  )
}
