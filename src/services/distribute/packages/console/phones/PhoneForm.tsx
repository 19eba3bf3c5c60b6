import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { phoneDesk } from '../../phones/contract.ts'
import { knownAbis, knownDeviceTypes } from '../../phones/rules.ts'
import { phoneDeskCalls } from '../package-calls.ts'
import { type ModelView, systems } from './ModelTable.tsx'

const empty = { model: '', brand: '', name: '', deviceType: 'phone', os: 'ANDROID', abis: ['arm64-v8a'] } as const

/** Adds a model, or corrects one; its own name stays. */
export function PhoneForm({ one, onClose }: { one: ModelView | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/packages')
  const form = useContractForm(phoneDesk.calls.savePhone.body, one ?? { ...empty, abis: [...empty.abis] })
  const save = useAction(phoneDeskCalls.savePhone, { errors: 'form', onDone: onClose })
  const known = (value: string, list: readonly string[]) => [...new Set([...list, value])].filter(Boolean)
  return (
    <Modal visible header={one ? <span translate="no">{one.name}</span> : t('phones.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={save}
        submit={values => save.run({ body: one ? { ...values, model: one.model, revision: one.revision } : values })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        {!one && <TextField of={form} name="model" label={t('phones.model')} hint={t('phones.modelHint')} />}
        <TextField of={form} name="brand" label={t('devices.brand')} />
        <TextField of={form} name="name" label={t('phones.name')} />
        <SelectField
          of={form}
          name="deviceType"
          label={t('phones.deviceType')}
          options={known(one?.deviceType ?? '', knownDeviceTypes).map(value => ({
            value,
            label: t(`phones.deviceTypes.${value}`, { defaultValue: value }),
          }))}
        />
        <SelectField
          of={form}
          name="os"
          label={t('phones.system')}
          options={Object.entries(systems).map(([value, label]) => ({ value, label }))}
        />
        <TextField of={form} name="sdk" type="number" label={t('devices.sdk')} />
        <FormField of={form} name="abis" label={t('facts.abis')}>
          {field => (
            <Multiselect
              ref={field.ref}
              selectedOptions={(field.value as string[]).map(value => ({ value, label: value }))}
              options={[...new Set([...knownAbis, ...(one?.abis ?? [])])].map(value => ({ value, label: value }))}
              onBlur={field.onBlur}
              onChange={({ detail }) => field.onChange(detail.selectedOptions.map(option => option.value))}
            />
          )}
        </FormField>
        <TextField of={form} name="width" type="number" label={t('phones.width')} />
        <TextField of={form} name="height" type="number" label={t('phones.height')} />
        <TextField of={form} name="density" type="number" label={t('phones.density')} />
        <TextField of={form} name="ramMegabytes" type="number" label={t('phones.memoryField')} />
      </ContractFormBox>
    </Modal>
  )
}
