import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, type EndpointView } from './webhook-calls.ts'

const hours = [1, 6, 24, 72, 168, 720] as const

/** Sends again what failed since a while ago. */
export function ReplayFailed({ endpoint, onClose }: { endpoint: EndpointView; onClose: () => void }) {
  const { t } = useTranslation('ground/webhooks')
  const [chosen, setChosen] = useState<number>(24)
  const replay = useAction(api.replayFailed, {
    onDone: ({ replayed }) => {
      notify({ tone: 'success', text: t('replay.done', { count: replayed }) })
      onClose()
    },
  })
  const labelOf = (value: number) =>
    value < 48 ? t('replay.hours', { count: value }) : t('replay.days', { count: value / 24 })
  const options = hours.map(value => ({ value: String(value), label: labelOf(value) }))
  const run = () =>
    replay.run({
      params: { endpointId: endpoint.endpointId },
      body: { since: Math.max(0, Date.now() - chosen * 3_600_000) },
    })
  return (
    <DialogBox
      title={t('replay.title')}
      verb={t('replay.go')}
      action="replay-failed"
      isRunning={replay.isRunning}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <FormField label={t('replay.since')} description={t('replay.text')}>
        <Select
          options={options}
          selectedOption={options.find(option => option.value === String(chosen)) ?? null}
          onChange={({ detail }) => setChosen(Number(detail.selectedOption.value))}
        />
      </FormField>
    </DialogBox>
  )
}
