import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { experimentsApi } from '../experiment-calls.ts'

/** Names an experiment; the wizard on its page asks for the rest. */
export function NewExperiment({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('grow/experiments')
  const go = useGo()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'client' | 'server'>('client')
  const create = useAction(experimentsApi.createExperiment, {
    errors: 'form',
    onDone: ({ experimentId }) => go('/experiments/$experimentId', { experimentId }, { projectId }),
  })
  return (
    <DialogBox
      title={t('list.add')}
      verb={t('list.add')}
      action="create-experiment"
      isRunning={create.isRunning}
      canSubmit={name.trim() !== ''}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body: { projectId, name, kind } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input
          value={name}
          autoFocus
          nativeInputAttributes={{ maxLength: limits.nameLength }}
          onChange={({ detail }) => setName(detail.value)}
        />
      </FormField>
      <FormField label={t('list.kind')} description={t('list.kindHint')}>
        <SegmentedControl
          label={t('list.kind')}
          selectedId={kind}
          options={(['client', 'server'] as const).map(id => ({ id, text: t(`kinds.${id}`) }))}
          onChange={({ detail }) => setKind(detail.selectedId as typeof kind)}
        />
      </FormField>
    </DialogBox>
  )
}
