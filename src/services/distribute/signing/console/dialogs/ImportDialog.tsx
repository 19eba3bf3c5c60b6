import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { SigningView } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { canEncrypt, encryptKey, type GivenKey } from '../encrypt-key.ts'
import { api } from '../signing-calls.ts'
import { NameField } from './NameField.tsx'

interface ImportDialogProps {
  one: SigningView
  name: string
  onClose: () => void
}

const formats = ['PKCS12', 'PKCS8'] as const
const fileLimitBytes = 100_000

/** Gives the store the key that signs the app until now. It is encrypted here; the page sends nothing else of it. */
export function ImportDialog({ one, name, onClose }: ImportDialogProps) {
  const { t } = useTranslation('distribute/signing')
  const [given, setGiven] = useState<Omit<GivenKey, 'file'> & { file: File | null }>({
    format: 'PKCS12',
    file: null,
    password: '',
    alias: '',
    certificate: '',
  })
  const [typed, setTyped] = useState('')
  const [isUnread, setUnread] = useState(false)
  const put = (part: Partial<typeof given>) => setGiven(before => ({ ...before, ...part }))
  const change = useAction(api.putSigningKey, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('import.done') })
      onClose()
    },
  })
  const { appId } = one
  const { format, file } = given
  const isStore = format === 'PKCS12'
  const isWhole = file !== null && (isStore || given.certificate.includes('BEGIN CERTIFICATE'))

  const send = async () => {
    if (!file) return
    setUnread(false)
    try {
      // Read anew: what it is encrypted with is good for half an hour.
      const { importKey, revision } = await api.getSigningKey({ query: { appId } })
      if (!importKey) return onClose()
      const encryptedKey = await encryptKey(appId, importKey, { ...given, file })
      await change.run({ body: { appId, action: 'IMPORT', encryptedKey, revision } })
    } catch {
      setUnread(true)
    }
  }

  if (!canEncrypt()) {
    return (
      <DialogBox title={t('import.title')} canSubmit={false} isRunning={false} onSubmit={onClose} onClose={onClose}>
        <Alert type="error">{t('import.insecure')}</Alert>
      </DialogBox>
    )
  }
  return (
    <DialogBox
      title={t('import.title')}
      verb={t('actions.import')}
      action="import"
      size="large"
      isRunning={change.isRunning}
      canSubmit={isWhole && typed.trim() === name}
      refusal={isUnread ? t('import.unread') : change.error && errorText(change.error)}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Alert type="warning">{t('import.text')}</Alert>
      <FormField label={t('import.format')}>
        <RadioGroup
          value={format}
          items={formats.map(value => ({ value, label: t(`import.${value}`), description: t(`import.${value}Text`) }))}
          onChange={({ detail }) => put({ format: detail.value as GivenKey['format'], file: null })}
        />
      </FormField>
      <FileDrop
        label={file?.name ?? t('import.file')}
        hint={t('import.fileHint')}
        accept={isStore ? '.p12,.pfx,.jks,.keystore' : '.pem,.pk8,.key,.der'}
        onFiles={([chosen]) => put({ file: chosen && chosen.size <= fileLimitBytes ? chosen : null })}
      />
      <FormField label={t('import.password')} description={t('import.passwordText')}>
        <Input
          type="password"
          value={given.password}
          autoComplete={false}
          nativeInputAttributes={{ maxLength: limits.passwordLength }}
          onChange={({ detail }) => put({ password: detail.value })}
        />
      </FormField>
      {isStore ? (
        <FormField label={t('import.alias')} description={t('import.aliasText')}>
          <Input value={given.alias} spellcheck={false} onChange={({ detail }) => put({ alias: detail.value })} />
        </FormField>
      ) : (
        <FormField label={t('import.certificate')}>
          <Textarea
            rows={5}
            value={given.certificate}
            spellcheck={false}
            placeholder="-----BEGIN CERTIFICATE-----"
            onChange={({ detail }) => put({ certificate: detail.value })}
          />
        </FormField>
      )}
      <NameField name={name} value={typed} onChange={setTyped} />
    </DialogBox>
  )
}
