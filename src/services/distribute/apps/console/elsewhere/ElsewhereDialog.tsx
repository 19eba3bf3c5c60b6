import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { nonAgApps, platforms } from '../../non-ag/contract.ts'
import { type NonAgView, nonAgCalls } from './elsewhere-calls.ts'

const blank = { appName: '', icon: '', storeUrl: '', platform: 'ANDROID' as const, packageName: '' }

/** Names an app the team has elsewhere, or changes one. */
export function ElsewhereDialog({ app, onClose }: { app: NonAgView | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const { id, revision, appName, icon, storeUrl, platform, packageName } = app ?? { ...blank, id: '', revision: 1 }
  const form = useContractForm(nonAgApps.calls.updateNonAgApp.body, { appName, icon, storeUrl, platform, packageName })
  const act = useAction(nonAgCalls.updateNonAgApp, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={app ? t('elsewhere.edit') : t('elsewhere.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body: { ...body, ...(app ? { id, revision } : {}) } })}
        submitLabel={app ? t('action.save') : t('elsewhere.add')}
        onCancel={onClose}
      >
        <TextField of={form} name="appName" label={t('elsewhere.name')} />
        <SelectField
          of={form}
          name="platform"
          label={t('elsewhere.platform')}
          options={platforms.map(value => ({ value, label: t(`elsewhere.platforms.${value}`) }))}
        />
        <TextField of={form} name="packageName" label={t('elsewhere.packageName')} />
        <TextField of={form} name="storeUrl" label={t('elsewhere.storeUrl')} type="url" placeholder="https://…" />
        <TextField of={form} name="icon" label={t('elsewhere.icon')} type="url" placeholder="https://…" />
      </ContractFormBox>
    </Modal>
  )
}
