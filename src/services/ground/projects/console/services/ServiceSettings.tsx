import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { Settings } from '../../services/rules.ts'
import { type ServiceView, serviceApi } from '../project-calls.ts'

/** What a service may be set to comes with its settings; this only draws it. */
export function ServiceSettings({ service, onClose }: { service: ServiceView; onClose: () => void }) {
  const { t, i18n } = useTranslation('ground/projects')
  const { projectId, serviceId, revision } = service
  const [config, setConfig] = useState<Settings>(service.config)
  const found = useCall(serviceApi.getServiceConfig, { query: { projectId, serviceId } })
  const act = useAction(serviceApi.setServiceConfig, { errors: 'form', onDone: onClose })
  const set = (name: string, value: Settings[string]) => setConfig({ ...config, [name]: value })
  return (
    <DialogBox
      title={t('services.settingsOf', { name: service.name[i18n.resolvedLanguage as Language] })}
      action="configure-service"
      isRunning={act.isRunning}
      refusal={act.error && errorText(act.error)}
      onSubmit={() => void act.run({ body: { projectId, serviceId, config, revision } })}
      onClose={onClose}
    >
      {(found.data?.rules ?? []).map(rule => {
        const { name, kind, min, max, words } = rule
        const label = t(`services.setting.${name}`)
        if (kind === 'flag') {
          return (
            <Checkbox key={name} checked={config[name] === true} onChange={({ detail }) => set(name, detail.checked)}>
              {label}
            </Checkbox>
          )
        }
        if (kind === 'word') {
          const options = (words ?? []).map(value => ({ value, label: value }))
          return (
            <FormField key={name} label={label}>
              <Select
                options={options}
                selectedOption={options.find(one => one.value === config[name]) ?? null}
                onChange={({ detail }) => set(name, detail.selectedOption.value ?? '')}
              />
            </FormField>
          )
        }
        return (
          <FormField key={name} label={label} constraintText={t('services.range', { min, max })}>
            <Input
              type="number"
              value={String(config[name] ?? '')}
              onChange={({ detail }) => set(name, detail.value === '' ? '' : Number(detail.value))}
            />
          </FormField>
        )
      })}
    </DialogBox>
  )
}
