import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { refusalText } from '../../../../../console/refusal-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { alarmTargets, type DestinationKind, isTarget, settingLimits } from '../../queue/rules.ts'
import { latest } from '../../rules.ts'
import { aliasApi, api, type FunctionView } from '../function-calls.ts'
import { type AsyncConfig, queueApi } from './queue-calls.ts'

/** How calls of a version or alias are tried again, and who hears of their end. */
export function AsyncSettings({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const [qualifier, setQualifier] = useState<string>(latest)
  const found = useCall(queueApi.getAsyncConfig, { params: { functionId }, query: { qualifier } })
  const versions = useCall(api.listVersions, { params: { name: functionName }, query: { projectId } })
  const aliases = useCall(aliasApi.listAliases, { params: { functionId } })
  const targets = [
    ...(aliases.data?.list ?? []).map(one => one.name),
    ...(versions.data?.list ?? []).map(one => one.version),
  ]
  const settings = found.data?.asyncConfig
  return (
    <Container
      header={
        <Header variant="h2" description={t('queue.settingsText')}>
          {t('queue.settings')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField label={t('triggers.calls')}>
          <Select
            selectedOption={{ value: qualifier, label: qualifier }}
            options={targets.map(value => ({ value, label: value }))}
            onChange={({ detail }) => setQualifier(detail.selectedOption.value ?? qualifier)}
          />
        </FormField>
        {settings && (
          <SettingsForm
            key={`${qualifier} ${settings.revision}`}
            functionId={functionId}
            qualifier={qualifier}
            settings={settings}
          />
        )}
      </SpaceBetween>
    </Container>
  )
}

interface SettingsFormProps {
  functionId: string
  qualifier: string
  settings: AsyncConfig
}

type End = 'onSuccess' | 'onFailure'
type Kind = 'NONE' | DestinationKind

const examples: Partial<Record<Kind, string>> = {
  FUNCTION: 'notify-people:live',
  EVENT: 'orders-failed',
  STORAGE: 'my-files/failed/',
}

/** What is asked for first where another kind was chosen. */
const startOf = (kind: Kind) => ({ kind, target: kind === 'ALARM' ? alarmTargets[0] : '' })

function SettingsForm({ functionId, qualifier, settings }: SettingsFormProps) {
  const { t } = useTranslation('build/functions')
  const [maxRetry, setMaxRetry] = useState(String(settings.maxRetry))
  const [maxAgeSec, setMaxAge] = useState(String(settings.maxAgeSec))
  const [ends, setEnds] = useState<Record<End, { kind: Kind; target: string }>>({
    onSuccess: settings.onSuccess ?? { kind: 'NONE', target: '' },
    onFailure: settings.onFailure ?? { kind: 'NONE', target: '' },
  })
  const save = useAction(queueApi.putAsyncConfig, { errors: 'form' })
  const destination = (end: End) => {
    const { kind, target } = ends[end]
    return kind === 'NONE' ? null : { kind, target }
  }
  const isRight = (end: End) => {
    const { kind, target } = ends[end]
    return kind === 'NONE' || isTarget(kind, target)
  }
  const submit = () =>
    void save.run({
      params: { functionId },
      body: {
        ...{ qualifier, maxRetry: Number(maxRetry), maxAgeSec: Number(maxAgeSec) },
        ...{ onSuccess: destination('onSuccess'), onFailure: destination('onFailure') },
        ...(settings.revision === null ? {} : { revision: settings.revision }),
      },
    })
  const kindsOf = (end: End) =>
    (['NONE', 'FUNCTION', 'EVENT', 'STORAGE', ...(end === 'onFailure' ? (['ALARM'] as const) : [])] as const).map(
      value => ({ value, label: t(`queue.kinds.${value}`) }),
    )
  const people = alarmTargets.map(value => ({
    value,
    label: t(`queue.people.${value === 'functions.edit' ? 'edit' : 'read'}`),
  }))
  const [leastAge, mostAge] = settingLimits.maxAgeSec
  const age = Number(maxAgeSec)
  const isAge = Number.isInteger(age) && age >= leastAge && age <= mostAge
  return (
    <SpaceBetween size="m">
      <FormField label={t('queue.maxRetry')} constraintText={t('queue.maxRetryHint')}>
        <Select
          selectedOption={{ value: maxRetry, label: maxRetry }}
          options={['0', '1', '2', '3'].map(value => ({ value, label: value }))}
          onChange={({ detail }) => setMaxRetry(detail.selectedOption.value ?? maxRetry)}
        />
      </FormField>
      <FormField
        label={t('queue.maxAge')}
        constraintText={t('queue.maxAgeHint')}
        errorText={isAge ? undefined : t('queue.maxAgeHint')}
      >
        <Input type="number" value={maxAgeSec} onChange={({ detail }) => setMaxAge(detail.value)} />
      </FormField>
      {(['onSuccess', 'onFailure'] as const).map(end => (
        <FormField
          key={end}
          label={t(`queue.${end}`)}
          errorText={isRight(end) || ends[end].target === '' ? undefined : t('queue.targetWrong')}
          constraintText={ends[end].kind === 'NONE' ? undefined : t(`queue.targetHints.${ends[end].kind}`)}
        >
          <div className="fn-destination">
            <Select
              selectedOption={kindsOf(end).find(one => one.value === ends[end].kind) ?? null}
              options={kindsOf(end)}
              ariaLabel={t(`queue.${end}`)}
              onChange={({ detail }) => setEnds({ ...ends, [end]: startOf(detail.selectedOption.value as Kind) })}
            />
            {ends[end].kind === 'ALARM' && (
              <Select
                selectedOption={people.find(one => one.value === ends[end].target) ?? null}
                options={people}
                ariaLabel={t('queue.target')}
                onChange={({ detail }) =>
                  setEnds({ ...ends, [end]: { ...ends[end], target: detail.selectedOption.value ?? '' } })
                }
              />
            )}
            {ends[end].kind !== 'NONE' && ends[end].kind !== 'ALARM' && (
              <Input
                value={ends[end].target}
                spellcheck={false}
                ariaLabel={t('queue.target')}
                placeholder={examples[ends[end].kind]}
                onChange={({ detail }) => setEnds({ ...ends, [end]: { ...ends[end], target: detail.value } })}
              />
            )}
          </div>
        </FormField>
      ))}
      {save.error && <Alert type="error">{refusalText(save.error, 'queue')}</Alert>}
      <Can call={queueApi.putAsyncConfig}>
        <div className="lg-actions">
          <Button
            data-action="save-queue"
            disabled={!isAge || !isRight('onSuccess') || !isRight('onFailure')}
            loading={save.isRunning}
            onClick={submit}
          >
            {t('save')}
          </Button>
        </div>
      </Can>
    </SpaceBetween>
  )
}
