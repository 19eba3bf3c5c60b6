import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { betaGroups } from '../../contract.ts'
import { groupKinds } from '../../rules.ts'
import { type GroupView, groupsApi } from '../beta-calls.ts'

interface GroupFormProps {
  appId: string
  /** Left out for a new one. */
  group?: GroupView
  onClose: () => void
}

/** Name and kind of a group; the kind of one that has people stays. */
export function GroupForm({ appId, group, onClose }: GroupFormProps) {
  const { t } = useTranslation('distribute/beta-test')
  const go = useGo()
  const form = useContractForm(betaGroups.calls.createGroup.body, {
    appId,
    name: group?.name ?? '',
    kind: group?.kind ?? 'INTERNAL',
  })
  const create = useAction(groupsApi.createGroup, {
    errors: 'form',
    onDone: ({ groupId }) => {
      onClose()
      go('/apps/$appId/testers/$groupId', { appId, groupId })
    },
  })
  const update = useAction(groupsApi.updateGroup, { errors: 'form', onDone: onClose })
  const isKindFixed = group !== undefined && (group.count > 0 || group.inUseByVersionIds.length > 0)
  return (
    <Modal visible header={group ? t('groups.edit') : t('groups.make')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={group ? (update as unknown as typeof create) : create}
        submit={({ name, kind }) =>
          group
            ? update.run({ params: { groupId: group.groupId }, body: { name, kind, revision: group.revision } })
            : create.run({ body: { appId, name, kind } })
        }
        submitLabel={group ? t('action.save') : t('groups.make')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('groups.name')} />
        {!isKindFixed && (
          <SelectField
            of={form}
            name="kind"
            label={t('groups.kind')}
            options={groupKinds.map(value => ({
              value,
              label: t(`kinds.${value}`),
              description: t(`kindTexts.${value}`),
            }))}
          />
        )}
      </ContractFormBox>
    </Modal>
  )
}
