import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { projectConfigFiles } from '../../config-files/contract.ts'
import { fileApi } from '../project-calls.ts'

interface NewConfigFileProps {
  projectId: string
  apps: readonly { appId: string; appName: string }[]
  onClose: () => void
}

export function NewConfigFile({ projectId, apps, onClose }: NewConfigFileProps) {
  const { t } = useTranslation('ground/projects')
  const [first] = apps
  const form = useContractForm(projectConfigFiles.calls.makeConfigFile.body, {
    projectId,
    appId: first?.appId ?? '',
    packageName: '',
  })
  const act = useAction(fileApi.makeConfigFile, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('files.make')} onDismiss={onClose}>
      {first ? (
        <ContractFormBox
          of={form}
          action={act}
          submit={body => act.run({ body })}
          submitLabel={t('action.create')}
          onCancel={onClose}
        >
          <SelectField
            of={form}
            name="appId"
            label={t('files.app')}
            options={apps.map(one => ({ value: one.appId, label: one.appName || one.appId }))}
          />
          <TextField
            of={form}
            name="packageName"
            label={t('files.package')}
            hint={t('files.packageHint')}
            placeholder="com.example.app"
          />
        </ContractFormBox>
      ) : (
        <Alert type="info">{t('files.noApps')}</Alert>
      )}
    </Modal>
  )
}
