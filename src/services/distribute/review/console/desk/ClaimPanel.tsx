import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { desk, type TaskView } from '../review-calls.ts'
import { SlaClock } from '../SlaClock.tsx'
import { LeaseClock } from './LeaseClock.tsx'
import { useDeskZone } from './use-desk-zone.ts'

/** Who has the task and until when; taking it and giving it back. */
export function ClaimPanel({ task }: { task: TaskView }) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const claim = useAction(desk.claimTask)
  const release = useAction(desk.releaseTask)
  const { taskId, allowedActions, isMine, claimExpiresAt } = task
  const isElsewhere = task.state === 'CLAIMED' && !isMine
  return (
    <Container header={<Header variant="h2">{t('claim.title')}</Header>}>
      <SpaceBetween size="m">
        {isMine && claimExpiresAt !== null && <LeaseClock taskId={taskId} expiresAt={claimExpiresAt} />}
        {isElsewhere && (
          <p className="review-said">
            {t('claim.other')} <When at={claimExpiresAt} show="both" />
          </p>
        )}
        <KeyValuePairs
          columns={2}
          items={[
            { label: t('task.due'), value: <SlaClock slaDueAt={task.slaDueAt} pausedAt={task.pausedAt} isShort /> },
            { label: t('task.priority'), value: task.priority },
            { label: t('task.queued'), value: <When at={task.queuedAt} /> },
            { label: t('task.place'), value: task.queuePosition ?? '–' },
          ]}
        />
        {allowedActions.includes('claim') && (
          <Button
            data-action="claim"
            variant="primary"
            fullWidth
            loading={claim.isRunning}
            onClick={() => void claim.run({ body: { taskId } }, at)}
          >
            {task.state === 'WAITING' ? t('claim.takeBack') : t('claim.take')}
          </Button>
        )}
        {allowedActions.includes('release') && (
          <Button
            data-action="release"
            fullWidth
            loading={release.isRunning}
            onClick={() => void release.run({ body: { taskId } }, at)}
          >
            {t('claim.giveBack')}
          </Button>
        )}
      </SpaceBetween>
    </Container>
  )
}
