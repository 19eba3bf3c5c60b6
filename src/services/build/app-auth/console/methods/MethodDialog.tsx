import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { settingsOfKind } from '../../rules.ts'
import type { MethodView } from '../../settings/contract.ts'
import { settingsApi } from '../auth-calls.ts'
import { providerText } from '../providers.ts'

/** How a provider is asked who somebody is. */
export function MethodDialog({
  projectId,
  method,
  onClose,
}: {
  projectId: string
  method: MethodView
  onClose: () => void
}) {
  const { t } = useTranslation('build/app-auth')
  const [config, setConfig] = useState(method.config)
  const [secret, setSecret] = useState('')
  const [isOn, setOn] = useState(true)
  const save = useAction(settingsApi.updateMethod, { errors: 'form', onDone: onClose })
  const { needed, more, hasSecret } = settingsOfKind[method.kind]
  const submit = () => {
    const revision = method.revision === 0 ? {} : { revision: method.revision }
    const body = { projectId, provider: method.provider, enabled: isOn, config, ...revision }
    void save.run({ body: { ...body, ...(secret === '' ? {} : { secret }) } })
  }
  const faultOf = (name: string) =>
    save.error?.detail['field'] === name
      ? t('config.isNeeded')
      : save.error?.fields.find(one => one.pointer === `/config/${name}`)?.message
  return (
    <DialogBox
      title={providerText(t, method.provider)}
      action="set-up"
      isRunning={save.isRunning}
      refusal={save.error && errorText(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      {[...needed, ...more].map(name => (
        <FormField
          key={name}
          label={t(`config.${name}`)}
          constraintText={t(`configHints.${name}`)}
          errorText={faultOf(name)}
        >
          {name === 'publicKey' ? (
            <Textarea
              value={config[name] ?? ''}
              rows={6}
              spellcheck={false}
              onChange={({ detail }) => setConfig({ ...config, [name]: detail.value })}
            />
          ) : (
            <Input
              value={config[name] ?? ''}
              onChange={({ detail }) => setConfig({ ...config, [name]: detail.value })}
            />
          )}
        </FormField>
      ))}
      {hasSecret && (
        <FormField label={t('config.secret')} constraintText={method.hasSecret ? t('config.secretKept') : undefined}>
          <Input value={secret} type="password" autoComplete="off" onChange={({ detail }) => setSecret(detail.value)} />
        </FormField>
      )}
      <Checkbox checked={isOn} onChange={({ detail }) => setOn(detail.checked)}>
        {t('methods.isOn')}
      </Checkbox>
    </DialogBox>
  )
}
