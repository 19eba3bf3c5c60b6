import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { projectSettings } from '../../settings/contract.ts'
import { settingsApi } from '../project-calls.ts'

export function NewMapping({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('ground/projects')
  const form = useContractForm(projectSettings.calls.changeMappings.body, {
    projectId,
    add: [{ system: '', externalId: '' }],
  })
  const act = useAction(settingsApi.changeMappings, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('mappings.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="add.0.system" label={t('mappings.system')} hint={t('mappings.systemHint')} />
        <TextField
          of={form}
          name="add.0.externalId"
          label={t('mappings.externalId')}
          hint={t('mappings.externalIdHint')}
        />
      </ContractFormBox>
    </Modal>
  )
}
