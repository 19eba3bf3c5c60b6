import FormField from '@cloudscape-design/components/form-field'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { Messages } from './Messages.tsx'
import { PaperList } from './PaperList.tsx'
import { type DeskTaskView, desk } from './qualification-calls.ts'
import { countryNames, eitherOf, paperName, tones, worded } from './qualification-words.ts'

interface DeskDialogProps {
  taskId: string
  zone: ZoneId | undefined
  onClose: () => void
}

const verdicts = ['pass', 'refuse', 'ask', 'revoke'] as const

/** The papers of a task, and the place to decide. */
export function DeskDialog({ taskId, zone, onClose }: DeskDialogProps) {
  const { t } = useTranslation('distribute/qualification')
  const found = useCall(desk.getDeskTask, { query: { taskId } }, zone && { zone })
  if (found.data) return <Decision task={found.data} zone={zone} onClose={onClose} />
  return (
    <Modal visible header={t('desk.title')} onDismiss={onClose}>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      )}
    </Modal>
  )
}

function Decision({ task, zone, onClose }: { task: DeskTaskView; zone: ZoneId | undefined; onClose: () => void }) {
  const { t } = useTranslation('distribute/qualification')
  const open = verdicts.filter(verdict => task.allowedActions.includes(verdict))
  const [verdict, setVerdict] = useState(open[0])
  const [note, setNote] = useState('')
  const defs = useDefs(zone)
  const act = useAction(desk.decideDeskTask, { errors: 'form', onDone: onClose })
  const { taskId, revision } = task
  const content = (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          { label: t('desk.app'), value: <span translate="no">{task.appName}</span> },
          { label: t('desk.tag'), value: worded(task.tagName) },
          {
            label: t('desk.state'),
            value: <StatusBadge tone={tones[task.state]} text={t(`states.${task.state}`)} />,
          },
        ]}
      />
      <PaperList infos={task.qualificationInfos} defs={defs} />
      {task.missing
        .filter(one => one.sets.length > 0)
        .map(one => (
          <div key={one.countries.join()} className="lg-soft">
            {t('desk.missing', {
              countries: countryNames(one.countries),
              papers: one.sets.map(set => eitherOf(set.map(code => paperName(defs, code)))).join(' + '),
            })}
          </div>
        ))}
      <Messages messages={task.messages} />
    </SpaceBetween>
  )
  if (verdict === undefined) {
    return (
      <Modal visible size="large" header={t('desk.title')} onDismiss={onClose}>
        {content}
      </Modal>
    )
  }
  return (
    <DialogBox
      title={t('desk.title')}
      verb={t(`verdicts.${verdict}`)}
      action={verdict}
      size="large"
      isRunning={act.isRunning}
      refusal={act.error && errorText(act.error)}
      onSubmit={() =>
        void act.run(
          { body: { taskId, verdict, revision, ...(note.trim() && { note: note.trim() }) } },
          zone && { zone },
        )
      }
      onClose={onClose}
    >
      {content}
      <FormField label={t('desk.verdict')}>
        <RadioGroup
          value={verdict}
          items={open.map(value => ({
            value,
            label: t(`verdicts.${value}`),
            description: t(`verdictTexts.${value}`),
          }))}
          onChange={({ detail }) => setVerdict(detail.value as (typeof verdicts)[number])}
        />
      </FormField>
      <FormField label={t('desk.note')} constraintText={t('desk.noteHint')}>
        <Textarea value={note} rows={3} onChange={({ detail }) => setNote(detail.value)} />
      </FormField>
    </DialogBox>
  )
}

function useDefs(zone: ZoneId | undefined) {
  return useCall(desk.listDeskDefs, { query: {} }, zone && { zone }).data?.list ?? []
}
