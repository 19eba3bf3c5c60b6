import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { limits } from '../rules.ts'
import { api } from './series-calls.ts'

/** Puts editions together: first the main one, then those that are alike. */
export function NewSeries({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/series')
  const [name, setName] = useState('')
  const [mainId, setMain] = useState('')
  const [others, setOthers] = useState<readonly string[]>([])
  const found = useCall(api.queryOptionalList, { body: { pageSize: 100 } })
  const alike = useCall(api.queryOptionalList, { body: { appId: mainId, pageSize: 100 } }, { enabled: mainId !== '' })
  const make = useAction(api.createSeries, { errors: 'form', onDone: onClose })
  const alikeIds = new Set(alike.data?.list.map(app => app.appId))
  const options = (found.data?.list ?? []).map(app => ({
    value: app.appId,
    label: app.name,
    description: t(`types.${app.packageType}`),
    ...(alikeIds.has(app.appId) && { labelTag: t('alike') }),
  }))
  const rest = options
    .filter(option => option.value !== mainId)
    .toSorted((one, other) => Number(alikeIds.has(other.value)) - Number(alikeIds.has(one.value)))
  const apps = [{ appId: mainId, role: 'MAIN' as const }, ...others.map(appId => ({ appId, role: 'SUB' as const }))]
  return (
    <DialogBox
      title={t('new')}
      verb={t('action.create')}
      action="createSeries"
      isRunning={make.isRunning}
      canSubmit={name.trim() !== '' && mainId !== '' && others.length > 0}
      refusal={make.error && errorText(make.error)}
      onSubmit={() => void make.run({ body: { name: name.trim(), apps } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value.slice(0, limits.nameLength))} />
      </FormField>
      <FormField label={t('main')} constraintText={t('mainHint')}>
        <Select
          selectedOption={options.find(option => option.value === mainId) ?? null}
          options={options}
          placeholder={t('choose')}
          empty={t('noApps')}
          statusType={found.isPending ? 'loading' : 'finished'}
          filteringType={options.length > 10 ? 'auto' : 'none'}
          expandToViewport
          onChange={({ detail }) => {
            setMain(detail.selectedOption.value ?? '')
            setOthers([])
          }}
        />
      </FormField>
      <FormField label={t('others')} constraintText={t('othersHint')}>
        <Multiselect
          selectedOptions={rest.filter(option => others.includes(option.value))}
          options={rest}
          disabled={mainId === ''}
          placeholder={t('choose')}
          empty={t('noApps')}
          filteringType="auto"
          expandToViewport
          onChange={({ detail }) => setOthers(detail.selectedOptions.map(option => option.value ?? ''))}
        />
      </FormField>
    </DialogBox>
  )
}
