import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { changeLimits } from '../change-requests/rules.ts'
import { limits } from '../rules.ts'
import { api, changesApi, releasesApi, type TabProps } from './config-calls.ts'
import { DifferenceList } from './DifferenceList.tsx'
import { ImpactList } from './ImpactList.tsx'

/** Before a draft is in force: what it would change, and what keeps it from that; now, or at a time. */
export function PublishDialog({ where, head, onClose }: TabProps & { onClose: () => void }) {
  const { t } = useTranslation('grow/remote-config')
  const [description, setDescription] = useState('')
  const [time, setTime] = useState('')
  const check = useCall(api.checkDraft, { query: where }, { staleTime: 0 })
  const changes = useCall(api.listDraftChanges, { query: { ...where, pageSize: 100 } }, { staleTime: 0 })
  const done = (text: string) => {
    notify({ tone: 'success', text })
    onClose()
  }
  const publish = useAction(releasesApi.publishDraft, {
    errors: 'form',
    onDone: ({ version }) => done(t('publish.done', { version })),
  })
  const schedule = useAction(releasesApi.scheduleDraft, { errors: 'form', onDone: () => done(t('publish.planned')) })
  const ask = useAction(changesApi.createChangeRequest, { errors: 'form', onDone: () => done(t('publish.asked')) })
  const isAsked = head.approvalsNeeded > 0
  const dueAt = time === '' ? null : new Date(time).getTime()
  const refused = publish.error ?? schedule.error ?? ask.error ?? changes.error ?? check.error
  const problems = check.data?.problems ?? []
  const submit = () => {
    if (isAsked) return void ask.run({ body: { ...where, title: description.trim(), submit: true } })
    const body = { ...where, ...(description.trim() !== '' && { description: description.trim() }) }
    const options = { revision: head.etag }
    if (dueAt === null) void publish.run({ body }, options)
    else void schedule.run({ body: { ...body, dueAt } }, options)
  }
  return (
    <DialogBox
      title={t(isAsked ? 'publish.ask' : 'publish.title')}
      size="large"
      verb={t(isAsked ? 'publish.ask' : dueAt === null ? 'publish.go' : 'publish.plan')}
      action={isAsked ? 'createChangeRequest' : 'publishDraft'}
      isRunning={publish.isRunning || schedule.isRunning || ask.isRunning}
      canSubmit={check.data?.ok === true && !Number.isNaN(dueAt ?? 0) && (!isAsked || description.trim() !== '')}
      refusal={refused ? errorText(refused) : null}
      onClose={onClose}
      onSubmit={submit}
    >
      {!changes.data && !changes.error && <StatusIndicator type="loading">{t('loading')}</StatusIndicator>}
      {problems.length > 0 && (
        <Alert type="error" header={t('publish.problems', { count: problems.length })}>
          <ul className="rcs-problems" translate="no">
            {problems.slice(0, 20).map(one => (
              <li key={one.pointer + one.message}>{one.message}</li>
            ))}
          </ul>
        </Alert>
      )}
      {changes.data && <DifferenceList list={changes.data.list} total={changes.data.total} />}
      <ImpactList where={where} />
      <FormField
        label={t(isAsked ? 'requests.title' : 'publish.note')}
        description={isAsked && t('publish.askText', { needed: head.approvalsNeeded })}
      >
        <Input
          value={description}
          onChange={({ detail }) =>
            setDescription(detail.value.slice(0, isAsked ? changeLimits.titleLength : limits.noteLength))
          }
        />
      </FormField>
      {!isAsked && (
        <FormField label={t('publish.time')} description={t('publish.timeText')}>
          <input
            className="rcs-time"
            type="datetime-local"
            aria-label={t('publish.time')}
            value={time}
            onChange={event => setTime(event.target.value)}
          />
        </FormField>
      )}
    </DialogBox>
  )
}
