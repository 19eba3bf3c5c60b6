import '../review.css'
import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { desk, moves, policyApi, sensitive } from '../review-calls.ts'
import { toneOfTask, versionName } from '../review-words.ts'
import { ClaimPanel } from './ClaimPanel.tsx'
import { DeskReasons } from './DeskReasons.tsx'
import { EscalateButton } from './EscalateButton.tsx'
import { EvidenceTabs } from './EvidenceTabs.tsx'
import { PriorityButton } from './PriorityButton.tsx'
import { SecondLook } from './SecondLook.tsx'
import { SensitiveButton } from './SensitiveButton.tsx'
import { useDeskZone } from './use-desk-zone.ts'
import { VerdictPanel } from './VerdictPanel.tsx'
import { VerdictView } from './VerdictView.tsx'

/** Everything a reviewer needs to decide about one version, and the place to decide it. */
export default function TaskPage() {
  const taskId = usePageParam('taskId')
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const found = useCall(desk.getTask, { query: { taskId } }, at)
  const policies = useCall(policyApi.listPolicies, {}, { ...at, staleTime: Number.POSITIVE_INFINITY }).data?.list
  const task = found.data?.task
  usePageTitle(task && `${task.appName} ${task.versionName ?? ''}`)

  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data || !task) return <PendingPage />
  const { data } = found
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('task.title', { app: task.appName, version: versionName(task) })}
        description={
          task.itemKind === 'VERSION'
            ? `${t(`queues.${task.queue}`)} · ${task.packageName ?? ''}`
            : t(`kinds.${task.itemKind}`)
        }
        status={
          <StatusBadge
            tone={toneOfTask[task.state]}
            text={task.isMine ? t('task.yours') : t(`task.states.${task.state}`)}
          />
        }
        actions={
          <>
            {task.allowedActions.includes('escalate') && <EscalateButton taskId={task.taskId} />}
            {task.decidedAt === null && (
              <Can call={moves.updatePriority}>
                <PriorityButton task={task} />
              </Can>
            )}
            <Can call={sensitive.updateSensitiveApp}>
              <SensitiveButton appId={task.appId} appName={task.appName} isSensitive={task.needsSecond} />
            </Can>
          </>
        }
      />
      {!data.isImpartial && (
        <Alert type="warning" header={t('conflict.title')}>
          {t('conflict.text')}
        </Alert>
      )}
      <div className="review-columns">
        <EvidenceTabs detail={data} policies={policies} />
        <aside className="review-side" aria-label={t('verdict.title')}>
          <DeskReasons task={task} />
          <SecondLook task={task} policies={policies} />
          <ClaimPanel task={task} />
          {task.isMine && <VerdictPanel task={task} policies={policies} />}
          {task.verdict && <VerdictView decision={task} policies={policies} />}
        </aside>
      </div>
    </SpaceBetween>
  )
}
