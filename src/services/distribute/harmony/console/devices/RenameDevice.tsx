import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { DeviceView } from '../../devices/contract.ts'
import { limits } from '../../rules.ts'
import { devicesApi } from '../harmony-calls.ts'

export function RenameDevice({ device, onClose }: { device: DeviceView; onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [deviceName, setName] = useState(device.deviceName)
  const rename = useAction(devicesApi.renameDevice, { errors: 'form', onDone: onClose })
  const { id, revision } = device
  return (
    <DialogBox
      title={t('devices.rename')}
      action="rename"
      isRunning={rename.isRunning}
      canSubmit={deviceName.trim() !== '' && deviceName.trim() !== device.deviceName}
      refusal={rename.error && errorText(rename.error)}
      onSubmit={() => void rename.run({ body: { id, deviceName, revision } })}
      onClose={onClose}
    >
      <FormField label={t('name')}>
        <Input value={deviceName} onChange={({ detail }) => setName(detail.value.slice(0, limits.deviceNameLength))} />
      </FormField>
    </DialogBox>
  )
}
