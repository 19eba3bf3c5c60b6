import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, notedRefusal } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { AddedDevices } from '../../devices/contract.ts'
import { deviceTypeNumbers, deviceTypes, limits } from '../../rules.ts'
import { devicesApi } from '../harmony-calls.ts'

const udidLength = 64

/** Adds one device; many come as a file. */
export function AddDevice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [deviceName, setName] = useState('')
  const [udid, setUdid] = useState('')
  const [deviceType, setType] = useState<number>(deviceTypes.phone)
  const [refused, setRefused] = useState<string | null>(null)
  const onDone = ({ failedAddDeviceDetail: [failed] }: AddedDevices) => {
    if (!failed) return onClose()
    setRefused(notedRefusal('distribute/harmony', failed.code, failed.message))
  }
  const add = useAction(devicesApi.addDevices, { errors: 'form', onDone })
  const options = deviceTypeNumbers.map(type => ({ value: String(type), label: t(`deviceTypes.${type}`) }))
  return (
    <DialogBox
      title={t('devices.add')}
      verb={t('devices.addVerb')}
      action="addDevices"
      isRunning={add.isRunning}
      canSubmit={deviceName.trim() !== '' && udid.trim().length === udidLength}
      refusal={add.error ? errorText(add.error) : refused}
      onSubmit={() => void add.run({ body: { deviceList: [{ deviceName, udid, deviceType }] } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={deviceName} onChange={({ detail }) => setName(detail.value.slice(0, limits.deviceNameLength))} />
      </FormField>
      <FormField label="UDID" constraintText={t('devices.udidHint')}>
        <Input
          value={udid}
          spellcheck={false}
          onChange={({ detail }) => setUdid(detail.value.replace(/\s/g, '').slice(0, udidLength))}
        />
      </FormField>
      <FormField label={t('type')}>
        <Select
          selectedOption={options.find(option => option.value === String(deviceType)) ?? null}
          options={options}
          expandToViewport
          onChange={({ detail }) => setType(Number(detail.selectedOption.value))}
        />
      </FormField>
    </DialogBox>
  )
}
