import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { api } from '../signing-calls.ts'

interface UploadDialogProps {
  appId: string
  isReset: boolean
  onClose: () => void
}

/** Registers the certificate of an upload key; one that is in force waits two days for its successor. */
export function UploadDialog({ appId, isReset, onClose }: UploadDialogProps) {
  const { t } = useTranslation('distribute/signing')
  const [pem, setPem] = useState('')
  const register = useAction(api.putUploadCertificate, {
    errors: 'form',
    onDone: answer => {
      notify({ tone: 'success', text: t(`upload.done.${answer.state}`) })
      onClose()
    },
  })
  const isPrivate = /PRIVATE KEY-----/.test(pem)
  const refusal = isPrivate ? t('errors.202060005') : register.error && errorText(register.error)
  return (
    <DialogBox
      title={t(isReset ? 'upload.reset' : 'upload.register')}
      verb={t('upload.go')}
      action="register"
      isRunning={register.isRunning}
      canSubmit={pem.includes('BEGIN CERTIFICATE') && !isPrivate}
      refusal={refusal}
      onSubmit={() => void register.run({ body: { appId, certPem: pem } })}
      onClose={onClose}
    >
      {isReset && <Alert type="warning">{t('upload.resetText')}</Alert>}
      <FileDrop
        label={t('upload.file')}
        hint={t('upload.fileHint')}
        accept=".pem,.crt,.cer"
        onFiles={([file]) => void file?.text().then(setPem)}
      />
      <FormField label={t('upload.pem')} description={t('upload.pemText')}>
        <Textarea
          rows={6}
          value={pem}
          spellcheck={false}
          placeholder="-----BEGIN CERTIFICATE-----"
          onChange={({ detail }) => setPem(detail.value)}
        />
      </FormField>
    </DialogBox>
  )
}
