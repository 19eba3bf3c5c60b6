import Alert from '@cloudscape-design/components/alert'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { apps } from '../contract.ts'
import { type AppView, api } from './app-calls.ts'
import { PackageNameField } from './PackageNameField.tsx'

/** The one change of a package name that is left before a package fixes it. */
export function EditPackageName({ app, onClose }: { app: AppView; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const { appId, revision, packageType } = app
  const [isFree, setFree] = useState(false)
  const form = useContractForm(apps.calls.updatePackageName.body, {
    appId,
    packageName: app.packageName ?? '',
    revision,
  })
  const act = useAction(api.updatePackageName, {
    errors: 'form',
    onDone: saved => {
      notify({ tone: 'success', text: t('facts.named', { packageName: saved.packageName }) })
      onClose()
    },
  })
  return (
    <Modal visible header={t('app.packageName')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => isFree && act.run({ body: { ...body, packageName: body.packageName.trim() } })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <Alert type="info">{t('facts.nameOnce')}</Alert>
        <PackageNameField of={form} name="packageName" packageType={packageType} appId={appId} onChecked={setFree} />
      </ContractFormBox>
    </Modal>
  )
}
