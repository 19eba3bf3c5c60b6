import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { queueApi, reasonOf, toldText, toneOfAttempt, toneOfState } from './queue-calls.ts'

const mostShown = 20_000

interface AsyncCallDialogProps {
  functionId: string
  requestId: string
  onClose: () => void
}

/** One call with its attempts, what it was sent and what came of it. */
export function AsyncCallDialog({ functionId, requestId, onClose }: AsyncCallDialogProps) {
  const { t } = useTranslation('build/functions')
  const params = { functionId, requestId }
  const found = useCall(queueApi.getAsyncCall, { params })
  const cancel = useAction(queueApi.cancelAsyncCall)
  const replay = useAction(queueApi.replayAsyncCall, {
    onDone: () => {
      notify({ tone: 'success', text: t('queue.replayed') })
      onClose()
    },
  })
  const { call, attempts = [], payload, result } = found.data ?? {}
  const isOver = call?.state === 'FAIL' || call?.state === 'DISCARD'
  return (
    <Modal
      visible
      size="large"
      header={t('queue.call')}
      onDismiss={onClose}
      footer={
        <Can call={queueApi.cancelAsyncCall}>
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              {call?.state === 'WAIT' && (
                <Button
                  data-action="cancel-call"
                  loading={cancel.isRunning}
                  onClick={() => void cancel.run({ params })}
                >
                  {t('queue.cancel')}
                </Button>
              )}
              {isOver && (
                <Button
                  variant="primary"
                  data-action="replay-call"
                  loading={replay.isRunning}
                  onClick={() => void replay.run({ params })}
                >
                  {t('queue.replay')}
                </Button>
              )}
            </SpaceBetween>
          </Box>
        </Can>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.error && !call && <PendingPage />}
      {call && (
        <SpaceBetween size="m">
          <div>
            <StatusBadge tone={toneOfState(call.state)} text={t(`queue.states.${call.state}`)} /> {reasonOf(t, call)}
            {call.told !== null && <Box color="text-body-secondary">{toldText(t, call)}</Box>}
          </div>
          <section>
            <Box variant="h3">{t('queue.attempts')}</Box>
            {attempts.length === 0 && <Box color="text-body-secondary">{t('queue.noAttempts')}</Box>}
            <ol className="fn-attempts">
              {attempts.map(one => (
                <li key={one.attempt}>
                  <StatusBadge
                    tone={toneOfAttempt(one.outcome)}
                    text={one.outcome === null ? t('queue.states.RUNNING') : t(`queue.outcomes.${one.outcome}`)}
                  />{' '}
                  <When at={one.startedAt} />
                  {one.endedAt !== null && ` · ${t('ms', { value: one.endedAt - one.startedAt })}`}
                  {one.isRepeat && ` · ${t('queue.repeat')}`}
                  {one.errorMessage !== null && (
                    <Box color="text-body-secondary">
                      {reasonOf(t, { errorType: one.errorType, reason: one.errorMessage })}
                    </Box>
                  )}
                </li>
              ))}
            </ol>
          </section>
          <Shown title={t('event')} value={payload} />
          {result !== null && <Shown title={t('queue.result')} value={result} />}
        </SpaceBetween>
      )}
    </Modal>
  )
}

function Shown({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2) ?? ''
  return (
    <section>
      <Box variant="h3">{title}</Box>
      <pre className="fn-output" translate="no">
        {text.length > mostShown ? `${text.slice(0, mostShown)} …` : text}
      </pre>
    </section>
  )
}
