import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { refusalText } from '../../../../console/refusal-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type Kind, limits, sources } from '../rules.ts'
import { api, functionsApi, type PolicyView } from './preload-calls.ts'

interface PolicyDialogProps {
  projectId: string
  appId: string
  kind: Kind
  /** Null for a new one. */
  policy: PolicyView | null
  maySendToServer: boolean
  onClose: () => void
}

/** Where the answer comes from, how long it is waited for, and how long it is kept. */
export function PolicyDialog({ projectId, appId, kind, policy, maySendToServer, onClose }: PolicyDialogProps) {
  const { t } = useTranslation('build/preload')
  const [source, setSource] = useState<(typeof sources)[number]>(policy?.source ?? 'FUNCTION')
  const [functionName, setFunction] = useState(policy?.functionName ?? '')
  const [qualifier, setQualifier] = useState(policy?.qualifier ?? '$latest')
  const [url, setUrl] = useState(policy?.url ?? '')
  const [isEnabled, setEnabled] = useState(policy?.isEnabled ?? true)
  const [timeout, setTimeoutSec] = useState(String(policy?.timeoutSec ?? 5))
  const [ttl, setTtl] = useState(String(policy?.cacheTtlSec ?? 600))
  const functions = useCall(functionsApi.listFunctions, { query: { projectId, pageSize: 100 } })
  const create = useAction(api.createPolicy, { errors: 'form', onDone: onClose })
  const update = useAction(api.updatePolicy, { errors: 'form', onDone: onClose })
  const action = policy ? update : create
  const isWhole = (text: string, least: number, most: number) =>
    /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most
  const isTimeoutRight = isWhole(timeout, 1, limits.timeoutSec)
  const isTtlRight = isWhole(ttl, 0, limits.cacheTtlSec)
  const submit = () => {
    const from = source === 'FUNCTION' ? { functionName, qualifier } : { url }
    const settings = { source, ...from, isEnabled, timeoutSec: Number(timeout), cacheTtlSec: Number(ttl) }
    if (policy) void update.run({ body: { policyId: policy.policyId, revision: policy.revision, ...settings } })
    else void create.run({ body: { appId, kind, ...settings } })
  }
  const options = (functions.data?.list ?? []).map(one => ({ value: one.functionName, label: one.functionName }))
  return (
    <DialogBox
      title={t(`kinds.${kind}`)}
      action="preload"
      isRunning={action.isRunning}
      canSubmit={isTimeoutRight && isTtlRight && (source === 'FUNCTION' ? functionName !== '' : url !== '')}
      refusal={action.error && refusalText(action.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('source')}>
        <RadioGroup
          value={source}
          onChange={({ detail }) => setSource(detail.value as typeof source)}
          items={sources.map(value => ({
            ...{ value, label: t(`sources.${value}`), description: t(`sourceTexts.${value}`) },
            disabled: value === 'SERVER' && !maySendToServer,
          }))}
        />
      </FormField>
      {!maySendToServer && <Alert type="info">{t('forOrganisations')}</Alert>}
      {source === 'FUNCTION' ? (
        <>
          <FormField label={t('sources.FUNCTION')}>
            <Select
              ariaLabel={t('sources.FUNCTION')}
              placeholder={t('chooseFunction')}
              empty={t('noFunction')}
              options={options}
              selectedOption={functionName === '' ? null : { value: functionName, label: functionName }}
              onChange={({ detail }) => setFunction(detail.selectedOption.value ?? '')}
            />
          </FormField>
          <FormField label={t('qualifier')} constraintText={t('qualifierHint')}>
            <Input value={qualifier} spellcheck={false} onChange={({ detail }) => setQualifier(detail.value)} />
          </FormField>
        </>
      ) : (
        <FormField label={t('url')} constraintText={t('urlHint')}>
          <Input value={url} spellcheck={false} type="url" onChange={({ detail }) => setUrl(detail.value)} />
        </FormField>
      )}
      <FormField label={t('timeout')} constraintText={t('timeoutHint', { most: limits.timeoutSec })}>
        <Input
          value={timeout}
          inputMode="numeric"
          invalid={!isTimeoutRight}
          onChange={({ detail }) => setTimeoutSec(detail.value)}
        />
      </FormField>
      <FormField label={t('cacheTtl')} constraintText={t('cacheTtlHint')}>
        <Input value={ttl} inputMode="numeric" invalid={!isTtlRight} onChange={({ detail }) => setTtl(detail.value)} />
      </FormField>
      <Toggle checked={isEnabled} onChange={({ detail }) => setEnabled(detail.checked)}>
        {t('on')}
      </Toggle>
    </DialogBox>
  )
}
