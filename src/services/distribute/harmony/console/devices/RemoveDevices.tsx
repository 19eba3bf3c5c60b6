import Alert from '@cloudscape-design/components/alert'
import Checkbox from '@cloudscape-design/components/checkbox'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, notedRefusal } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { DeviceView } from '../../devices/contract.ts'
import { devicesApi } from '../harmony-calls.ts'

/** Deletes devices, with what follows for profiles in words; what keeps some is said of each. */
export function RemoveDevices({ devices, onClose }: { devices: readonly DeviceView[]; onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [isForced, setForced] = useState(false)
  const [failed, setFailed] = useState<readonly { id: string; text: string | null }[]>([])
  const isUsed = devices.some(one => one.profileCount > 0)
  const remove = useAction(devicesApi.deleteDevices, {
    errors: 'form',
    onDone: ({ successedCount, failedDeviceDetail }) => {
      if (successedCount > 0) notify({ tone: 'success', text: t('devices.removed', { count: successedCount }) })
      if (failedDeviceDetail.length === 0) return onClose()
      setFailed(
        failedDeviceDetail.map(({ id, code, message }) => ({
          id,
          text: notedRefusal('distribute/harmony', code, message),
        })),
      )
    },
  })
  const ids = failed.length > 0 ? failed.map(one => one.id) : devices.map(one => one.id)
  const nameOf = (id: string) => devices.find(one => one.id === id)?.deviceName
  return (
    <DialogBox
      title={t('devices.removeTitle', { count: ids.length })}
      verb={t('devices.remove', { count: ids.length })}
      action="remove"
      isRunning={remove.isRunning}
      refusal={remove.error && errorText(remove.error)}
      onSubmit={() => void remove.run({ body: { ids, ...(isForced && { force: true }) } })}
      onClose={onClose}
    >
      <p>{t('devices.removeText')}</p>
      <p className="lg-soft" translate="no">
        {ids.map(nameOf).join(', ')}
      </p>
      {isUsed && (
        <Checkbox
          checked={isForced}
          description={t('devices.forceText')}
          onChange={({ detail }) => setForced(detail.checked)}
        >
          {t('devices.force')}
        </Checkbox>
      )}
      {failed.length > 0 && (
        <Alert type="warning">
          <ul className="harmony-report">
            {failed.map(({ id, text }) => (
              <li key={id}>
                <span translate="no">{nameOf(id)}</span>: {text}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </DialogBox>
  )
}
