import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { useSettled } from '../../../../../console/use-settled.ts'
import { devicesApi } from '../harmony-calls.ts'

const mostAtOnce = 100
const settleMs = 300

/** The devices on which a profile holds, found by name or UDID as one types; `ids` in the order in which they were chosen. */
export function DevicesField({ ids, onChange }: { ids: readonly string[]; onChange: (ids: string[]) => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [typed, setTyped] = useState('')
  const search = useSettled(typed.trim(), settleMs)
  const wish = { pageSize: mostAtOnce, ...(search && { search }) }
  const found = useCall(devicesApi.findDevices, { body: wish }, { keepBefore: true })
  const named = useCall(devicesApi.findDevices, { body: { ids: ids.slice(0, mostAtOnce), pageSize: mostAtOnce } })
  const list = found.data?.list ?? []
  const options = list.map(one => ({
    value: one.id,
    label: one.deviceName,
    description: `${t(`deviceTypes.${one.deviceType}`)} · ${one.udid.slice(0, 16)}…`,
  }))
  const names = new Map([...(named.data?.list ?? []), ...list].map(one => [one.id, one.deviceName]))
  const isMore = (found.data?.total ?? 0) > list.length
  const rest = list.map(one => one.id).filter(id => !ids.includes(id))
  return (
    <FormField
      label={t('profiles.devices', { count: ids.length })}
      constraintText={isMore ? t('profiles.devicesMore', { count: found.data?.total ?? 0 }) : t('profiles.devicesHint')}
      secondaryControl={
        rest.length > 0 ? (
          <Button formAction="none" onClick={() => onChange([...ids, ...rest])}>
            {t('profiles.addShown', { count: rest.length })}
          </Button>
        ) : undefined
      }
    >
      <Multiselect
        selectedOptions={ids.map(id => ({ value: id, label: names.get(id) ?? id }))}
        options={options}
        placeholder={t('choose')}
        empty={t('profiles.noDevices')}
        filteringType="manual"
        statusType={found.isFetching ? 'loading' : 'finished'}
        tokenLimit={10}
        expandToViewport
        onLoadItems={({ detail }) => setTyped(detail.filteringText)}
        onChange={({ detail }) => onChange(detail.selectedOptions.map(option => option.value ?? ''))}
      />
    </FormField>
  )
}
