import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type ActivityView, activitiesApi } from '../beta-calls.ts'
import { ActivityForm } from './ActivityForm.tsx'
import { ShareActivity } from './ShareActivity.tsx'

type Verb = 'edit' | 'publish' | 'close' | 'delete' | 'share'

/** What may be done with an activity now. */
export function ActivityActions({ activity }: { activity: ActivityView }) {
  const { t } = useTranslation('distribute/beta-test')
  const [open, setOpen] = useState<Verb | null>(null)
  const { activityId, appId, title, revision, page, allowedActions } = activity
  const end = () => setOpen(null)
  const move = useAction(activitiesApi.moveActivity, {
    onDone: ({ state }) => {
      notify({ tone: 'success', text: t(`activities.done.${state === 'RECRUITING' ? 'publish' : 'close'}`) })
      end()
    },
  })
  const remove = useAction(activitiesApi.deleteActivity, { onDone: end })
  const verbs: Verb[] = [...(page === null ? [] : (['share'] as const)), ...allowedActions]
  return (
    <>
      <span className="beta-actions">
        {verbs.map(verb => (
          <Button
            key={verb}
            variant="inline-link"
            data-action={verb}
            ariaLabel={`${t(`activities.verbs.${verb}`)}: ${title}`}
            onClick={() => setOpen(verb)}
          >
            {t(`activities.verbs.${verb}`)}
          </Button>
        ))}
      </span>
      {open === 'edit' && <ActivityForm appId={appId} activity={activity} onClose={end} />}
      {open === 'share' && <ShareActivity address={page ?? ''} onClose={end} />}
      {(open === 'publish' || open === 'close') && (
        <DialogBox
          title={t(`activities.ask.${open}`, { title })}
          verb={t(`activities.verbs.${open}`)}
          action={open}
          isRunning={move.isRunning}
          onSubmit={() => void move.run({ params: { activityId }, body: { action: open, revision } })}
          onClose={end}
        >
          <p className="beta-said">{t(`activities.asks.${open}`)}</p>
        </DialogBox>
      )}
      {open === 'delete' && (
        <ConfirmByName
          title={t('activities.ask.delete', { title })}
          name={title}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { activityId } })}
          onCancel={end}
        >
          {t('activities.asks.delete')}
        </ConfirmByName>
      )}
    </>
  )
}
