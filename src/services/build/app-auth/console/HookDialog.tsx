import Alert from '@cloudscape-design/components/alert'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { refusalText } from '../../../../console/refusal-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { HookView } from '../hooks-desk/contract.ts'
import { limits } from '../rules.ts'
import { hooksApi } from './auth-calls.ts'

const moments = ['BEFORE_CREATE', 'BEFORE_SIGN_IN'] as const
const failures = ['DENY', 'ALLOW'] as const

export function HookDialog({
  projectId,
  hook,
  onClose,
}: {
  projectId: string
  hook: HookView | null
  onClose: () => void
}) {
  const { t } = useTranslation('build/app-auth')
  const [moment, setMoment] = useState<(typeof moments)[number]>(hook?.moment ?? 'BEFORE_CREATE')
  const [url, setUrl] = useState(hook?.url ?? 'https://')
  const [timeout, setWait] = useState(String(hook?.timeoutMs ?? 3000))
  const [onFailure, setOnFailure] = useState<(typeof failures)[number]>(hook?.onFailure ?? 'DENY')
  const [enabled, setEnabled] = useState(hook?.enabled ?? true)
  const [secret, setSecret] = useState<string | null>(null)
  const onDone = (answer: { secret: string | null }) => (answer.secret === null ? onClose() : setSecret(answer.secret))
  const create = useAction(hooksApi.createHook, { errors: 'form', onDone })
  const update = useAction(hooksApi.updateHook, { errors: 'form', onDone })
  const action = hook ? update : create
  const submit = () => {
    const body = { projectId, moment, url, timeoutMs: Number(timeout), onFailure, enabled }
    if (hook) void update.run({ body: { ...body, hookId: hook.hookId, revision: hook.revision } })
    else void create.run({ body })
  }
  if (secret !== null) {
    return (
      <Modal visible header={t('hooks.secret')} onDismiss={onClose}>
        <Alert type="info">{t('hooks.secretText')}</Alert>
        <p className="auth-secret" translate="no">
          {secret}
        </p>
      </Modal>
    )
  }
  return (
    <DialogBox
      title={hook ? t('hooks.edit') : t('hooks.add')}
      action="hook"
      isRunning={action.isRunning}
      refusal={action.error && refusalText(action.error, 'hooks')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('hooks.moment')}>
        <Select
          selectedOption={{ value: moment, label: t(`moments.${moment}`) }}
          options={moments.map(value => ({ value, label: t(`moments.${value}`) }))}
          onChange={({ detail }) => setMoment(moments.find(one => one === detail.selectedOption.value) ?? moment)}
        />
      </FormField>
      <FormField label={t('hooks.url')} constraintText={t('hooks.urlHint')}>
        <Input value={url} onChange={({ detail }) => setUrl(detail.value)} />
      </FormField>
      <FormField label={t('hooks.timeout')} constraintText={t('hooks.timeoutHint', { most: limits.hookMs })}>
        <Input value={timeout} type="number" onChange={({ detail }) => setWait(detail.value)} />
      </FormField>
      <FormField label={t('hooks.onFailure')}>
        <Select
          selectedOption={{ value: onFailure, label: t(`onFailure.${onFailure}`) }}
          options={failures.map(value => ({ value, label: t(`onFailure.${value}`) }))}
          onChange={({ detail }) =>
            setOnFailure(failures.find(one => one === detail.selectedOption.value) ?? onFailure)
          }
        />
      </FormField>
      <Checkbox checked={enabled} onChange={({ detail }) => setEnabled(detail.checked)}>
        {t('methods.isOn')}
      </Checkbox>
    </DialogBox>
  )
}
