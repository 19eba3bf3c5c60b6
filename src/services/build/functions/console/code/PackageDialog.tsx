import Alert from '@cloudscape-design/components/alert'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { api, type FunctionView } from '../function-calls.ts'
import { isTooLarge, PackageField } from '../PackageField.tsx'
import { usePackageSending } from '../package-sending.ts'

interface PackageDialogProps {
  of: FunctionView
  /** Something was written in the editor and is not kept yet. */
  isChanged: boolean
  onTaken: () => void
  onClose: () => void
}

/** A package takes the place of all files of `$latest`. */
export function PackageDialog({ of: { functionId, revision }, isChanged, onTaken, onClose }: PackageDialogProps) {
  const { t } = useTranslation('build/functions')
  const [file, setFile] = useState<File | null>(null)
  const sending = usePackageSending()
  const save = useAction(api.updateCode, { errors: 'form', onDone: onTaken })
  const submit = async () => {
    const fileKey = file && (await sending.send(file))
    if (fileKey) await save.run({ params: { functionId }, body: { revision, fileKey } })
  }
  return (
    <DialogBox
      title={t('package.upload')}
      verb={t('package.take')}
      action="package"
      isRunning={sending.isSending || save.isRunning}
      canSubmit={file !== null && !isTooLarge(file)}
      refusal={isTooLarge(file) ? t('package.tooLarge') : (sending.refusal ?? (save.error && errorText(save.error)))}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {isChanged && <Alert type="warning">{t('package.loses')}</Alert>}
      <PackageField file={file} hint={t('package.hint')} sentBytes={sending.sentBytes} onFile={setFile} />
    </DialogBox>
  )
}
