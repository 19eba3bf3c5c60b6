import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { feedbackLimits } from '../../feedback/rules.ts'
import { type FeedbackView, feedbackApi } from '../beta-calls.ts'
import { toneOfFeedback } from '../beta-words.ts'
import { Shots } from './Shots.tsx'

const moves = ['take', 'resolve', 'dismiss', 'reopen'] as const

/** All of what a tester said, with the moves that are left for it and a note for the team. */
export function FeedbackDialog({ feedback, onClose }: { feedback: FeedbackView; onClose: () => void }) {
  const { t } = useTranslation('distribute/beta-test')
  const [shown, setShown] = useState(feedback)
  const [note, setNote] = useState(feedback.note)
  const [isDeleting, setDeleting] = useState(false)
  const move = useAction(feedbackApi.moveFeedback, { errors: 'form', onDone: setShown })
  const remove = useAction(feedbackApi.deleteFeedback, { errors: 'form', onDone: onClose })
  const { feedbackId, revision, allowedActions, tester, device } = shown
  const run = (action: (typeof moves)[number] | 'note') =>
    move.run({ body: { feedbackId, action, revision, ...(note !== shown.note && { note }) } })
  const error = move.error ?? remove.error
  const facts = [
    [t('feedback.tester'), tester ? [tester.nickname, tester.account].filter(Boolean).join(' · ') : null],
    [
      t('feedback.version'),
      [shown.versionName, shown.versionCode && `(${shown.versionCode})`].filter(Boolean).join(' '),
    ],
    [t('feedback.device'), [device.model, device.system, device.language].filter(Boolean).join(' · ')],
  ] as const
  return (
    <Modal
      visible
      size="large"
      header={t('feedback.one')}
      onDismiss={onClose}
      footer={
        <span className="beta-actions">
          {moves
            .filter(action => allowedActions.includes(action))
            .map(action => (
              <Button
                key={action}
                data-action={action}
                variant={action === 'take' || action === 'reopen' ? 'primary' : 'normal'}
                disabled={move.isRunning}
                onClick={() => void run(action)}
              >
                {t(`feedback.actions.${action}`)}
              </Button>
            ))}
          {allowedActions.includes('delete') && (
            <Button
              data-action="delete"
              loading={remove.isRunning}
              onClick={() => (isDeleting ? void remove.run({ query: { feedbackId } }) : setDeleting(true))}
            >
              {isDeleting ? t('feedback.reallyDelete') : t('action.delete')}
            </Button>
          )}
        </span>
      }
    >
      <SpaceBetween size="m">
        <SpaceBetween direction="horizontal" size="s">
          <StatusBadge tone={toneOfFeedback[shown.state]} text={t(`feedback.states.${shown.state}`)} />
          <span className="beta-soft">
            <When at={shown.createdAt} show="both" />
          </span>
        </SpaceBetween>
        <p className="beta-said" translate="no">
          {shown.text}
        </p>
        <Shots addresses={shown.screenshots} />
        {shown.logs.length > 0 && (
          <ul className="beta-logs" aria-label={t('feedback.logs')}>
            {shown.logs.map((address, at) => (
              <li key={address}>
                <OutsideLink href={address}>{t('feedback.log', { number: at + 1 })}</OutsideLink>
              </li>
            ))}
          </ul>
        )}
        <dl className="beta-facts">
          {facts.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd translate="no">{value || '–'}</dd>
            </div>
          ))}
        </dl>
        {allowedActions.includes('note') && (
          <>
            <FormField label={t('feedback.note')} constraintText={t('feedback.noteHint')}>
              <Textarea
                rows={3}
                value={note}
                onChange={({ detail }) => setNote(detail.value.slice(0, feedbackLimits.noteLength))}
              />
            </FormField>
            <Button
              data-action="note"
              disabled={note === shown.note}
              loading={move.isRunning}
              onClick={() => void run('note')}
            >
              {t('feedback.actions.note')}
            </Button>
          </>
        )}
        {error && <Alert type="error">{errorText(error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
