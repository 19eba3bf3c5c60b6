import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { versionTests } from '../../testing/contract.ts'
import { groupKinds } from '../../testing/rules.ts'
import { testsApi } from '../version-calls.ts'

export function NewGroup({ appId, onClose }: { appId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(versionTests.calls.createTestGroup.body, { appId, name: '', kind: 'INTERNAL' })
  const create = useAction(testsApi.createTestGroup, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={t('testers.make')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={create}
        submit={body => create.run({ body })}
        submitLabel={t('testers.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('testers.name')} />
        <SelectField
          of={form}
          name="kind"
          label={t('testers.kind')}
          options={groupKinds.map(value => ({
            value,
            label: t(`testers.kinds.${value}`),
            description: t(`testers.kindTexts.${value}`),
          }))}
        />
      </ContractFormBox>
    </Modal>
  )
}
