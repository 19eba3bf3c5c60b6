import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { AnswerDialog } from './AnswerDialog.tsx'
import { Messages } from './Messages.tsx'
import { PaperList } from './PaperList.tsx'
import { api, type DefView, type TaskView } from './qualification-calls.ts'
import { dayText, tones } from './qualification-words.ts'

interface TaskBoxProps {
  task: TaskView
  defs: readonly DefView[]
  onEdit: () => void
}

/** Papers that were handed in together: where they stand, until when they count, and what can be done. */
export function TaskBox({ task, defs, onEdit }: TaskBoxProps) {
  const { t } = useTranslation('distribute/qualification')
  const [isAnswering, setAnswering] = useState(false)
  const change = useAction(api.updateTaskStatus)
  const remove = useAction(api.deleteTask)
  const { taskId, state, revision, expireAt, graceUntil, slaDueAt, isAsked, allowedActions } = task
  const can = (action: TaskView['allowedActions'][number]) => allowedActions.includes(action)
  const set = (status: 0 | 1) => void change.run({ body: { taskId, status, revision } })
  return (
    <section className="qual-task" aria-label={t(`states.${state}`)}>
      <div className="qual-task-head">
        <StatusBadge tone={isAsked ? 'caution' : tones[state]} text={t(isAsked ? 'states.asked' : `states.${state}`)} />
        <span className="lg-soft">
          {state === 'PASSED' && t(expireAt === null ? 'until.ever' : 'until.day', { day: dayText(expireAt ?? 0) })}
          {state === 'EXPIRED' && expireAt !== null && t('until.ended', { day: dayText(expireAt) })}
          {slaDueAt !== null && !isAsked && t('until.due', { day: dayText(slaDueAt) })}
        </span>
        <div className="lg-actions">
          {can('answer') && (
            <Button variant="primary" data-action="answer" onClick={() => setAnswering(true)}>
              {t('actions.answer')}
            </Button>
          )}
          {can('edit') && (
            <Button data-action="edit" onClick={onEdit}>
              {t('action.edit')}
            </Button>
          )}
          {can('submit') && (
            <Button data-action="submit" loading={change.isRunning} onClick={() => set(1)}>
              {t('actions.submit')}
            </Button>
          )}
          {can('cancel') && (
            <Button data-action="cancel" loading={change.isRunning} onClick={() => set(0)}>
              {t('actions.cancel')}
            </Button>
          )}
          {can('delete') && (
            <Button
              data-action="delete"
              loading={remove.isRunning}
              onClick={() => void remove.run({ query: { taskId } })}
            >
              {t('action.delete')}
            </Button>
          )}
        </div>
      </div>
      {graceUntil !== null && (state === 'EXPIRED' || state === 'VOID') && (
        <Alert type="warning">{t('grace', { day: dayText(graceUntil) })}</Alert>
      )}
      <PaperList infos={task.qualificationInfos} defs={defs} />
      <Messages messages={task.messages} />
      {isAnswering && <AnswerDialog task={task} onClose={() => setAnswering(false)} />}
    </section>
  )
}
