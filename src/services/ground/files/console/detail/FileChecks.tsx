import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type CheckDetails, type FileView, taskCalls } from '../file-calls.ts'
import { taskErrorText, toneOf } from '../file-words.ts'

/** What the checks look at in this file, what the last one found, and a button for another one. */
export function FileChecks({ file: { objectId, bizTag } }: { file: FileView }) {
  const { t, i18n } = useTranslation('ground/files')
  const language = i18n.resolvedLanguage as Language
  const [taskId, setTaskId] = useState<string>()
  const items = useCall(taskCalls.listCheckItems, {}, { staleTime: Number.POSITIVE_INFINITY })
  const found = useCall(taskCalls.getCheckDetails, { query: { objectId } })
  const start = useAction(taskCalls.startCheck, {
    invalidates: [],
    onDone: task => setTaskId(task.taskId),
  })
  const details = found.data
  const retry = () => void Promise.all([found.refetch(), items.refetch()])
  const applied = (items.data?.list ?? []).filter(item => item.appliesTo === null || item.appliesTo.includes(bizTag))
  return (
    <section className="files-checks">
      <Header
        variant="h3"
        description={<LastCheck details={details} />}
        actions={
          <Can call={taskCalls.startCheck}>
            <Button
              data-action="checkFile"
              loading={start.isRunning}
              onClick={() => void start.run({ body: { objectIds: [objectId] } })}
            >
              {details?.checkState ? t('checks.again') : t('checks.start')}
            </Button>
          </Can>
        }
      >
        {t('checks.title')}
      </Header>
      {taskId && (
        <ProgressOfJob
          key={taskId}
          label={t('checks.running')}
          call={taskCalls.getChecked}
          input={{ query: { taskId } }}
          read={task => ({
            state: task.state === 'DONE' ? 'done' : task.state === 'FAILED' ? 'failed' : 'running',
            percent: task.percent,
            ...(task.error && { text: taskErrorText(task.error) }),
          })}
          onDone={() => void found.refetch()}
        />
      )}
      {(found.error ?? items.error) && <ErrorState error={found.error ?? items.error!} onRetry={retry} />}
      {items.isPending && <StatusIndicator type="loading">{t('state.loading', { ns: 'console' })}</StatusIndicator>}
      <ul className="files-check-items">
        {applied.map(item => {
          const result = details?.items.find(one => one.itemId === item.itemId)
          return (
            <li key={item.itemId}>
              <span>
                <strong>{item.name[language]}</strong>
                <span className="lg-soft">{item.text[language]}</span>
                {result && (
                  <span className="lg-soft" lang="en" translate="no">
                    {result.message}
                  </span>
                )}
              </span>
              {result ? (
                <StatusBadge tone={toneOf[result.verdict]} text={t(`verdicts.${result.verdict}`)} />
              ) : (
                <span className="lg-soft">{t('checks.open')}</span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function LastCheck({ details }: { details: CheckDetails | undefined }) {
  const { t } = useTranslation('ground/files')
  if (!details) return null
  if (details.checkedAt === null) return <>{t('checks.never')}</>
  return (
    <>
      {t('checks.last')} <When at={details.checkedAt} />
    </>
  )
}
