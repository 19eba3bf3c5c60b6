import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import type { ExperimentView } from '../contract.ts'
import { limits } from '../rules.ts'
import { experimentsApi } from './experiment-calls.ts'

/** Asks what the copy is called. */
export function CopyDialog({ experiment, onClose }: { experiment: ExperimentView; onClose: () => void }) {
  const { t } = useTranslation('grow/experiments')
  const go = useGo()
  const { experimentId, projectId } = experiment
  const [name, setName] = useState(t('acts.copyName', { name: experiment.name }).slice(0, limits.nameLength))
  const copy = useAction(experimentsApi.copyExperiment, {
    errors: 'form',
    onDone: made => {
      onClose()
      go('/experiments/$experimentId', { experimentId: made.experimentId }, { projectId })
    },
  })
  return (
    <DialogBox
      title={t('acts.copy')}
      verb={t('acts.copy')}
      action="copy-experiment"
      isRunning={copy.isRunning}
      canSubmit={name.trim() !== ''}
      refusal={copy.error && errorText(copy.error)}
      onSubmit={() => void copy.run({ params: { experimentId }, body: { name } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={name} autoFocus onChange={({ detail }) => setName(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
