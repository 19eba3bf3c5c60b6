import './apps.css'
import Checkbox from '@cloudscape-design/components/checkbox'
import type { FieldValues, Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { deviceTypes } from '../rules.ts'

interface DeviceChoiceProps<V extends FieldValues> {
  of: ContractForm<V>
  name: Path<V>
}

export function DeviceChoice<V extends FieldValues>({ of, name }: DeviceChoiceProps<V>) {
  const { t } = useTranslation('distribute/apps')
  return (
    <FormField of={of} name={name} label={t('app.devices')}>
      {field => {
        const chosen = (field.value ?? []) as number[]
        return (
          <div className="apps-devices">
            {Object.entries(deviceTypes).map(([device, number]) => (
              <Checkbox
                key={device}
                checked={chosen.includes(number)}
                onChange={({ detail }) =>
                  field.onChange(
                    Object.values(deviceTypes).filter(one => (one === number ? detail.checked : chosen.includes(one))),
                  )
                }
              >
                {t(`devices.${device}`)}
              </Checkbox>
            ))}
          </div>
        )
      }}
    </FormField>
  )
}
