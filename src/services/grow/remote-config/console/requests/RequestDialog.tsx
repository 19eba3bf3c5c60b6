import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { ChangeRequestView } from '../../change-requests/contract.ts'
import { changeLimits } from '../../change-requests/rules.ts'
import { changesApi } from '../config-calls.ts'

export type Verb = ChangeRequestView['allowedActions'][number]

const calls = {
  update: changesApi.updateChangeRequest,
  submit: changesApi.submitChangeRequest,
  approve: changesApi.approveChangeRequest,
  reject: changesApi.rejectChangeRequest,
  withdraw: changesApi.withdrawChangeRequest,
  revise: changesApi.reviseChangeRequest,
  schedule: changesApi.scheduleChangeRequest,
  unschedule: changesApi.scheduleChangeRequest,
  publish: changesApi.publishChangeRequest,
  discard: changesApi.discardChangeRequest,
} as const

interface Props {
  verb: Verb
  of: ChangeRequestView
  onClose: () => void
}

/** Asks before a move of a change request, with what the move needs: a reason, a time, which side wins. */
export function RequestDialog({ verb, of, onClose }: Props) {
  const { t } = useTranslation('grow/remote-config')
  const [reason, setReason] = useState('')
  const [time, setTime] = useState('')
  const [prefer, setPrefer] = useState<'mine' | 'theirs'>('mine')
  // Every move is asked alike; what its body has more, `more` says.
  const act = useAction(calls[verb] as typeof changesApi.submitChangeRequest, { errors: 'form', onDone: onClose })
  const dueAt = new Date(time).getTime()
  const isRefused = verb === 'reject'
  const hasReason = verb === 'approve' || isRefused
  const more: Partial<Record<Verb, object>> = {
    update: { takeDraft: true },
    approve: reason.trim() === '' ? {} : { reason: reason.trim() },
    reject: { reason: reason.trim() },
    revise: { prefer },
    schedule: { dueAt },
    unschedule: { dueAt: null },
  }
  const { changeRequestId, revision } = of
  const isReady = (!isRefused || reason.trim() !== '') && (verb !== 'schedule' || !Number.isNaN(dueAt))
  return (
    <DialogBox
      title={t(`requests.verbs.${verb}`)}
      verb={t(`requests.verbs.${verb}`)}
      action={verb}
      isRunning={act.isRunning}
      canSubmit={isReady}
      refusal={act.error && errorText(act.error)}
      onClose={onClose}
      onSubmit={() => void act.run({ params: { changeRequestId }, body: { revision, ...more[verb] } })}
    >
      <p className="rcs-said">{t(`requests.asks.${verb}`)}</p>
      {hasReason && (
        <FormField label={t(isRefused ? 'requests.reason' : 'requests.reasonIfAny')}>
          <Textarea
            value={reason}
            rows={3}
            ariaRequired={isRefused}
            onChange={({ detail }) => setReason(detail.value.slice(0, changeLimits.reasonLength))}
          />
        </FormField>
      )}
      {verb === 'schedule' && (
        <FormField label={t('publish.time')}>
          <input
            className="rcs-time"
            type="datetime-local"
            aria-label={t('publish.time')}
            value={time}
            onChange={event => setTime(event.target.value)}
          />
        </FormField>
      )}
      {verb === 'revise' && of.state === 'CONFLICT' && (
        <FormField label={t('requests.prefer')}>
          <RadioGroup
            value={prefer}
            items={(['mine', 'theirs'] as const).map(value => ({ value, label: t(`requests.prefers.${value}`) }))}
            onChange={({ detail }) => setPrefer(detail.value === 'theirs' ? 'theirs' : 'mine')}
          />
        </FormField>
      )}
    </DialogBox>
  )
}
