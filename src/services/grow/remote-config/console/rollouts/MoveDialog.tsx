import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { RolloutView } from '../../rollouts/contract.ts'
import { reasonLength } from '../../rollouts/rules.ts'
import { agreementApi, rolloutsApi } from '../config-calls.ts'
import { RolloutDialog } from './RolloutDialog.tsx'
import { typedTime } from './rollout-words.ts'

export type Verb = RolloutView['allowedActions'][number]
type Move = Exclude<Verb, 'remove' | 'edit'>

const calls = {
  start: rolloutsApi.startRollout,
  advance: rolloutsApi.advanceRollout,
  approve: rolloutsApi.approveRollout,
  pause: rolloutsApi.pauseRollout,
  resume: rolloutsApi.resumeRollout,
  rollback: rolloutsApi.rollBackRollout,
  complete: rolloutsApi.completeRollout,
  cancel: rolloutsApi.cancelRollout,
  randomise: rolloutsApi.randomiseRollout,
  askStart: agreementApi.askAboutRollout,
  askComplete: agreementApi.askAboutRollout,
  agree: agreementApi.agreeToRollout,
  refuse: agreementApi.refuseRollout,
  withdraw: agreementApi.withdrawRollout,
} as const

interface Props {
  verb: Verb
  of: RolloutView
  onClose: () => void
  /** After a draft was deleted. */
  onGone: () => void
}

/** Asks before a move of a rollout, with the reason that its history will tell. */
export function MoveDialog({ verb, of, onClose, onGone }: Props) {
  if (verb === 'remove') return <RemoveDialog of={of} onClose={onClose} onGone={onGone} />
  if (verb === 'edit') return <RolloutDialog where={of} of={of} onClose={onClose} onMade={onClose} />
  return <AskDialog verb={verb} of={of} onClose={onClose} />
}

function RemoveDialog({ of: { rolloutId, name }, onClose, onGone }: Omit<Props, 'verb'>) {
  const { t } = useTranslation('grow/remote-config')
  const remove = useAction(rolloutsApi.deleteRollout, { onDone: onGone })
  return (
    <ConfirmByName
      title={t('rollouts.verbs.remove')}
      name={name}
      verb={t('rollouts.verbs.remove')}
      isRunning={remove.isRunning}
      onConfirm={() => void remove.run({ params: { rolloutId } })}
      onCancel={onClose}
    >
      {t('rollouts.deleteText')}
    </ConfirmByName>
  )
}

function AskDialog({ verb, of, onClose }: { verb: Move; of: RolloutView; onClose: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const [reason, setReason] = useState('')
  const [time, setTime] = useState(verb.endsWith('tart') && of.startAt !== null ? typedTime(of.startAt) : '')
  const act = useAction(calls[verb] as typeof rolloutsApi.startRollout, { errors: 'form', onDone: onClose })
  const startAt = time === '' ? null : new Date(time).getTime()
  const { rolloutId, revision, approvalsNeeded, asked } = of
  const isForced = (verb === 'start' || verb === 'complete') && approvalsNeeded > (asked?.agreed.length ?? 0)
  const isReasonNeeded = verb === 'refuse' || isForced
  const isTimed = verb === 'start' || verb === 'askStart'
  const body = {
    revision,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(isTimed && { startAt }),
    ...(verb === 'askStart' && { action: 'start' }),
    ...(verb === 'askComplete' && { action: 'complete' }),
  }
  return (
    <DialogBox
      title={t(`rollouts.verbs.${verb}`)}
      verb={t(`rollouts.verbs.${verb}`)}
      action={verb}
      isRunning={act.isRunning}
      canSubmit={!Number.isNaN(startAt ?? 0) && (!isReasonNeeded || reason.trim() !== '')}
      refusal={act.error && errorText(act.error)}
      onClose={onClose}
      onSubmit={() => void act.run({ params: { rolloutId }, body })}
    >
      <p className="rcs-said">{t(`rollouts.asks.${verb}`, { needed: approvalsNeeded })}</p>
      {isForced && <Alert type="warning">{t('rollouts.forced', { needed: approvalsNeeded })}</Alert>}
      {isTimed && (
        <FormField label={t('rollouts.startAt')} constraintText={t('rollouts.startAtText')}>
          <input
            className="rcs-time"
            type="datetime-local"
            aria-label={t('rollouts.startAt')}
            value={time}
            onChange={event => setTime(event.target.value)}
          />
        </FormField>
      )}
      <FormField label={t(isReasonNeeded ? 'rollouts.reasonNeeded' : 'rollouts.reason')}>
        <Textarea
          value={reason}
          rows={3}
          ariaRequired={isReasonNeeded}
          onChange={({ detail }) => setReason(detail.value.slice(0, reasonLength))}
        />
      </FormField>
    </DialogBox>
  )
}
