import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { refusalText } from '../../../../console/refusal-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import { memorySizes } from '../rules.ts'
import { api, type FunctionView } from './function-calls.ts'
import { LayerChoice } from './layers/LayerChoice.tsx'

const linesOf = (env: Record<string, string>) =>
  Object.entries(env)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')

function envOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return Object.fromEntries(lines.map(line => [line.split('=', 1)[0]?.trim() ?? '', line.slice(line.indexOf('=') + 1)]))
}

/** What a function is run with; it is started once before a change counts. */
export function SettingsTab({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, revision, config, secretKeys, isEnabled } = of
  const [draft, setDraft] = useState({
    description: of.description,
    handler: config.handler,
    initHandler: config.initHandler ?? '',
    memoryMb: String(config.memoryMb),
    timeoutMs: String(config.timeoutMs),
    instanceConcurrency: String(config.instanceConcurrency),
    env: linesOf(config.env),
    secrets: '',
  })
  const isImage = config.image !== undefined
  const [layers, setLayers] = useState(config.layers ?? [])
  const set = (name: keyof typeof draft) => (value: string) => setDraft({ ...draft, [name]: value })
  const save = useAction(api.updateFunction, { errors: 'form', onDone: () => setDraft({ ...draft, secrets: '' }) })
  const flip = useAction(api.updateFunction)
  const submit = () =>
    void save.run({
      params: { functionId },
      body: {
        revision,
        description: draft.description,
        ...(!isImage && {
          handler: draft.handler,
          initHandler: draft.initHandler === '' ? null : draft.initHandler,
          layers: layers.map(({ layerId, number }) => ({ layerId, number })),
        }),
        memoryMb: Number(draft.memoryMb),
        timeoutMs: Number(draft.timeoutMs),
        instanceConcurrency: Number(draft.instanceConcurrency),
        env: envOf(draft.env),
        secrets: Object.fromEntries(
          Object.entries(envOf(draft.secrets)).map(([key, value]) => [key, value === '' ? null : value]),
        ),
      },
    })
  const field = (name: keyof typeof draft, type: 'text' | 'number' = 'text') => (
    <FormField label={t(`settings.${name}`)} constraintText={t(`settingHints.${name}`)}>
      <Input value={draft[name]} type={type} spellcheck={false} onChange={({ detail }) => set(name)(detail.value)} />
    </FormField>
  )
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">{t('tabs.settings')}</Header>}>
        <SpaceBetween size="m">
          <Can call={api.updateFunction}>
            <Toggle
              checked={isEnabled}
              onChange={({ detail }) =>
                void flip.run({ params: { functionId }, body: { revision, isEnabled: detail.checked } })
              }
            >
              {isEnabled ? t('isOn') : t('isOff')}
            </Toggle>
          </Can>
          {field('description')}
          {!isImage && field('handler')}
          {!isImage && field('initHandler')}
          <FormField label={t('settings.memoryMb')} constraintText={t('settingHints.memoryMb')}>
            <Select
              selectedOption={{ value: draft.memoryMb, label: t('mb', { value: draft.memoryMb }) }}
              options={memorySizes.map(size => ({ value: String(size), label: t('mb', { value: size }) }))}
              onChange={({ detail }) => set('memoryMb')(detail.selectedOption.value ?? draft.memoryMb)}
            />
          </FormField>
          {field('timeoutMs', 'number')}
          {field('instanceConcurrency', 'number')}
          {!isImage && <LayerChoice projectId={of.projectId} chosen={layers} onChange={setLayers} />}
          <FormField label={t('settings.env')} constraintText={t('settingHints.env')} stretch>
            <Textarea
              value={draft.env}
              rows={5}
              spellcheck={false}
              onChange={({ detail }) => set('env')(detail.value)}
            />
          </FormField>
          <FormField
            label={t('settings.secrets')}
            constraintText={t('settingHints.secrets')}
            description={secretKeys.join(', ')}
            stretch
          >
            <Textarea
              value={draft.secrets}
              rows={3}
              spellcheck={false}
              onChange={({ detail }) => set('secrets')(detail.value)}
            />
          </FormField>
          {save.error && <Alert type="error">{refusalText(save.error, 'settings')}</Alert>}
        </SpaceBetween>
      </Container>
      <Can call={api.updateFunction}>
        <div className="lg-actions">
          <Button variant="primary" data-action="save" loading={save.isRunning} onClick={submit}>
            {t('save')}
          </Button>
        </div>
      </Can>
    </SpaceBetween>
  )
}
