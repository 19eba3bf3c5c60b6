import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { refusalText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { latest } from '../../rules.ts'
import { configOf, type TriggerType, type TriggerWishes, triggerTypes } from '../../triggers/rules.ts'
import { aliasApi, api, type FunctionView } from '../function-calls.ts'
import { TriggerFields } from './TriggerFields.tsx'
import { type TriggerConfig, type TriggerView, triggerApi } from './trigger-words.ts'

interface TriggerDialogProps {
  of: FunctionView
  trigger: TriggerView | null
  onClose: () => void
}

const first: Record<TriggerType, TriggerWishes> = {
  HTTP: { authType: 'none' },
  CRON: { cron: '0 9 * * *', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, missed: 'SKIP' },
  CLOUDDB: { objectType: '', events: ['INSERT'] },
  CLOUDSTORAGE: { events: ['FINALIZE'] },
  AUTH: { events: ['USER_CREATED'] },
  EVENT: { topic: '' },
}

/** A new trigger, or another one's wishes: the kind of one that is there stays. */
export function TriggerDialog({ of, trigger, onClose }: TriggerDialogProps) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const [type, setType] = useState<TriggerType>(trigger?.typeCode ?? 'HTTP')
  const [name, setName] = useState(trigger?.name ?? '')
  const [qualifier, setQualifier] = useState(trigger?.qualifier ?? latest)
  const [config, setConfig] = useState<TriggerWishes>((trigger?.config as TriggerWishes) ?? first.HTTP)
  const [isRead, setRead] = useState(true)
  const versions = useCall(api.listVersions, { params: { name: functionName }, query: { projectId } })
  const aliases = useCall(aliasApi.listAliases, { params: { functionId } })
  const create = useAction(triggerApi.createTrigger, { errors: 'form', onDone: onClose })
  const update = useAction(triggerApi.updateTrigger, { errors: 'form', onDone: onClose })
  const action = trigger ? update : create
  const checked = configOf(type, config)
  const isRight = !('pointer' in checked)
  const submit = () => {
    const wish = config as TriggerConfig
    if (trigger) {
      const { triggerId, revision } = trigger
      void update.run({ params: { functionId }, body: { triggerId, revision, name, qualifier, config: wish } })
    } else void create.run({ params: { functionId }, body: { typeCode: type, name, qualifier, config: wish } })
  }
  const targets = [
    ...(aliases.data?.list ?? []).map(one => one.name),
    ...(versions.data?.list ?? []).map(one => one.version),
  ]
  const kinds = triggerTypes.map(value => ({
    value,
    label: t(`triggers.kinds.${value}`),
    description: t(`triggers.kindTexts.${value}`),
  }))
  return (
    <DialogBox
      title={trigger ? t('triggers.edit', { name: trigger.name }) : t('triggers.new')}
      action="trigger"
      isRunning={action.isRunning}
      canSubmit={isRight && isRead && /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/.test(name)}
      refusal={action.error && refusalText(action.error, 'triggers')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('kind')}>
        <Select
          selectedOption={kinds.find(one => one.value === type) ?? null}
          options={kinds}
          disabled={trigger !== null}
          onChange={({ detail }) => {
            const chosen = detail.selectedOption.value as TriggerType
            setType(chosen)
            setConfig(first[chosen])
            setRead(true)
          }}
        />
      </FormField>
      <FormField label={t('name')} constraintText={t('triggers.nameHint')}>
        <Input value={name} spellcheck={false} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label={t('triggers.calls')} description={t('triggers.callsText')}>
        <Select
          selectedOption={{ value: qualifier, label: qualifier }}
          options={targets.map(value => ({ value, label: value }))}
          onChange={({ detail }) => setQualifier(detail.selectedOption.value ?? qualifier)}
        />
      </FormField>
      <TriggerFields type={type} config={config} onChange={setConfig} onRead={setRead} />
    </DialogBox>
  )
}
