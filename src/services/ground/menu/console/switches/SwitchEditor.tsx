import '../menu.css'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Multiselect from '@cloudscape-design/components/multiselect'
import Slider from '@cloudscape-design/components/slider'
import Toggle from '@cloudscape-design/components/toggle'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { menuOperations } from '../../operations/contract.ts'
import { overseasFeature } from '../../rules.ts'
import { operations, type SwitchView } from '../menu-calls.ts'
import { ZoneChoice } from '../ZoneChoice.tsx'
import { WhoGetsIt } from './WhoGetsIt.tsx'

/** Makes a switch or changes one; beside it stands who would get the feature with what is chosen now. */
export function SwitchEditor({ row }: { row: SwitchView | null }) {
  const { t } = useTranslation('ground/menu')
  const go = useGo()
  const form = useContractForm(menuOperations.calls.setSwitch.body, {
    feature: row?.feature ?? '',
    isOn: row?.isOn ?? false,
    percent: row?.percent ?? 0,
    zones: row?.zones ?? [],
    groups: row?.groups ?? [],
    note: row?.note ?? '',
    revision: row?.revision ?? 0,
  })
  const [saved, setSaved] = useState<SwitchView | null>(null)
  const act = useAction(operations.setSwitch, {
    errors: 'form',
    onDone: answer => {
      notify({ tone: 'success', text: t('switches.saved', { name: answer.feature }) })
      setSaved(answer)
    },
  })
  // Only after the guard has heard of it.
  useEffect(() => {
    if (saved) go('/operate/switches/$feature', { feature: saved.feature })
  }, [saved, go])
  const { watch, setValue, formState } = form.form
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
    <div className="menu-switch">
      <UnsavedGuard isDirty={formState.isDirty && !saved} what={values.feature || t('switches.new')} />
      <Container header={<Header variant="h2">{t('switches.settings')}</Header>}>
        <ContractFormBox
          of={form}
          action={act}
          submit={body => act.run({ body: { ...body, note: body.note ?? '' } })}
          submitLabel={t('action.save')}
        >
          {row === null && (
            <TextField of={form} name="feature" label={t('switches.feature')} hint={t('switches.featureHint')} />
          )}
          <Toggle checked={values.isOn} onChange={({ detail }) => setValue('isOn', detail.checked, change)}>
            {t('switches.isOn')}
          </Toggle>
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
          <TextField of={form} name="percent" type="number" inputMode="decimal" label={t('switches.exact')} />
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
          <TextField of={form} name="note" label={t('switches.note')} hint={t('switches.noteHint')} />
        </ContractFormBox>
      </Container>
      <WhoGetsIt setting={{ ...values, percent: Number(values.percent) || 0, groups }} seed={row?.seed ?? null} />
    </div>
  )
}
