import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { menuOperations } from '../../operations/contract.ts'
import { type GroupView, operations } from '../menu-calls.ts'

interface NewGroupProps {
  zone: ZoneId
  /** Renames this one; left out, makes one. */
  group?: GroupView
  onClose: () => void
  onMade: (groupCode: string) => void
}

export function NewGroup({ zone, group, onClose, onMade }: NewGroupProps) {
  const { t } = useTranslation('ground/menu')
  const form = useContractForm(menuOperations.calls.changeGroup.body, {
    groupCode: group?.groupCode ?? '',
    name: group?.name ?? '',
    join: [],
    leave: [],
  })
  const act = useAction(operations.changeGroup, { errors: 'form', onDone: made => onMade(made.groupCode) })
  return (
    <Modal
      visible
      header={group ? t('groups.rename') : t('groups.newIn', { zone: t(`zones.${zone}`) })}
      onDismiss={onClose}
    >
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body }, { zone })}
        submitLabel={group ? t('action.save') : t('action.create')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('groups.name')} hint={t('groups.nameHint')} />
        {!group && <TextField of={form} name="groupCode" label={t('groups.code')} hint={t('groups.codeHint')} />}
      </ContractFormBox>
    </Modal>
  )
}
