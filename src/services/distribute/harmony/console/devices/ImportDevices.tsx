import Alert from '@cloudscape-design/components/alert'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, notedRefusal } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { devicesApi } from '../harmony-calls.ts'

/** Adds the devices of a file, and says of each line that was not taken why. */
export function ImportDevices({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('distribute/harmony')
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<Awaited<ReturnType<typeof devicesApi.importDevices>> | null>(null)
  const take = useAction(devicesApi.importDevices, { errors: 'form', onDone: setReport })
  const isDone = report !== null
  return (
    <DialogBox
      title={t('devices.importTitle')}
      verb={isDone ? t('devices.close') : t('devices.import')}
      action="importDevices"
      isRunning={take.isRunning}
      canSubmit={isDone || file !== null}
      refusal={take.error && errorText(take.error)}
      onSubmit={() => void (isDone ? onClose() : file && take.run({ body: file }))}
      onClose={onClose}
    >
      {report ? (
        <Alert type={report.failedCount === 0 ? 'success' : 'warning'}>
          {t('devices.imported', { count: report.successedCount })}
          {report.failedCount > 0 && (
            <>
              <div>{t('devices.notTaken', { count: report.failedCount })}</div>
              <ul className="harmony-report">
                {report.failedAddDeviceDetail.slice(0, 20).map(one => (
                  <li key={`${one.line} ${one.udid}`}>
                    {one.line !== null && `${t('devices.line', { line: one.line })}: `}
                    {notedRefusal('distribute/harmony', one.code, one.message)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Alert>
      ) : (
        <>
          <p className="lg-soft">{t('devices.importText')}</p>
          <code className="harmony-code" translate="no">
            deviceName,udid,deviceType
          </code>
          <FileDrop
            label={file?.name ?? t('devices.file')}
            hint={t('devices.fileHint', { count: limits.devicesAtOnce })}
            accept=".csv,.xlsx,text/csv"
            onFiles={([chosen]) => setFile(chosen ?? null)}
          />
        </>
      )}
    </DialogBox>
  )
}
