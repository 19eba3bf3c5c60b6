import FormField from '@cloudscape-design/components/form-field'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { wrapped } from '../../wrapped/contract.ts'
import { fileCalls, type PackageView, wrappedCalls } from '../package-calls.ts'

interface WrapFormProps {
  app: { appId: string; name: string; packageName: string | null }
  onMade: (one: PackageView) => void
  onCancel: () => void
}

export function WrapForm({ app, onMade, onCancel }: WrapFormProps) {
  const { t } = useTranslation('distribute/packages')
  const { appId, name, packageName } = app
  const form = useContractForm(wrapped.calls.wrapPage.body, {
    appId,
    url: '',
    name,
    packageName: packageName ?? '',
    versionCode: 1,
    versionName: '1.0.0',
  })
  const make = useAction(wrappedCalls.wrapPage, { errors: 'form', onDone: onMade })
  const [icon, setIcon] = useState<{ name: string; error: string }>({ name: '', error: '' })
  const send = async ([file]: File[]) => {
    if (!file) return
    try {
      const query = { fileName: file.name, bizTag: 'app_img' as const, size: file.size }
      const { urlsInfo } = await fileCalls.uploadObject({ query, body: file })
      form.form.setValue('iconObjectId', urlsInfo[0]?.objectId)
      setIcon({ name: file.name, error: '' })
    } catch (error) {
      setIcon({ name: '', error: errorText(error) })
    }
  }
  return (
    <ContractFormBox
      of={form}
      action={make}
      submit={values => make.run({ body: values })}
      submitLabel={t('wrap.make')}
      onCancel={onCancel}
    >
      <TextField of={form} name="url" label={t('kind.address')} placeholder="https://example.com/app/" />
      <TextField of={form} name="name" label={t('facts.label')} />
      <TextField of={form} name="packageName" label={t('facts.packageName')} hint={t('wrap.nameHint')} />
      <TextField of={form} name="versionCode" type="number" label={t('facts.versionCode')} hint={t('wrap.codeHint')} />
      <TextField of={form} name="versionName" label={t('facts.versionName')} />
      <FormField
        label={t('wrap.icon')}
        errorText={icon.error}
        constraintText={icon.name === '' ? undefined : <span translate="no">{icon.name}</span>}
      >
        <FileDrop
          label={t('wrap.chooseIcon')}
          hint={t('wrap.iconHint')}
          accept=".png,.webp"
          onFiles={files => void send(files)}
        />
      </FormField>
    </ContractFormBox>
  )
}
