import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import Slider from '@cloudscape-design/components/slider'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import type { menuOperations } from '../../operations/contract.ts'
import { overseasFeature } from '../../rules.ts'
import { operations } from '../menu-calls.ts'
import { ZoneChoice } from '../ZoneChoice.tsx'

/** Share, zones and groups of a switch that is not the same for all. */
export function ForWhom({ of }: { of: ContractForm<Static<typeof menuOperations.calls.setSwitch.body>> }) {
  const { t } = useTranslation('ground/menu')
  const { watch, setValue } = of.form
  const values = watch()
  const groups = values.groups ?? []
  const found = useCall(operations.listGroups, { query: { pageSize: 100 } })
  const known = found.data?.list ?? []
  const options = [
    ...known.map(one => ({ value: one.groupCode, label: one.groupCode, description: one.name })),
    ...groups.filter(code => !known.some(one => one.groupCode === code)).map(code => ({ value: code, label: code })),
  ]
  const change = { shouldDirty: true, shouldValidate: true }
  return (
    <SpaceBetween size="l">
      <FormField label={t('switches.slide')} constraintText={t('switches.percentHint')}>
        <Slider
          value={Math.min(100, Math.max(0, Math.round(Number(values.percent) || 0)))}
          min={0}
          max={100}
          step={1}
          valueFormatter={value => `${value} %`}
          ariaLabel={t('switches.slide')}
          onChange={({ detail }) => setValue('percent', detail.value, change)}
        />
      </FormField>
      <TextField of={of} name="percent" type="number" inputMode="decimal" label={t('switches.exact')} />
      <ZoneChoice
        label={t('switches.zones')}
        value={values.zones}
        onChange={zones => setValue('zones', zones, change)}
      />
      {values.feature !== overseasFeature && (
        <FormField label={t('switches.groups')} constraintText={t('switches.groupsHint')}>
          <Multiselect
            options={options}
            selectedOptions={options.filter(one => groups.includes(one.value))}
            filteringType="auto"
            statusType={found.isPending ? 'loading' : 'finished'}
            placeholder={t('switches.noGroups')}
            empty={t('groups.empty')}
            expandToViewport
            onChange={({ detail }) =>
              setValue(
                'groups',
                detail.selectedOptions.map(one => one.value ?? ''),
                change,
              )
            }
          />
        </FormField>
      )}
    </SpaceBetween>
  )
}
