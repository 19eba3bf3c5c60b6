import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { testUsers } from '../test-users/contract.ts'
import { type TestUserView, testUserApi } from './team-calls.ts'

export function TestUserForm({ row, onClose }: { row: TestUserView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/teams')
  const { name = '', address = '', note = '' } = row ?? {}
  const form = useContractForm(testUsers.calls.createTestUser.body, { name, address, note })
  const done = {
    errors: 'form' as const,
    onDone: (saved: TestUserView) => {
      notify({ tone: 'success', text: t('testUsers.saved', { name: saved.name }) })
      onClose()
    },
  }
  const create = useAction(testUserApi.createTestUser, done)
  const update = useAction(testUserApi.updateTestUser, done)
  return (
    <Modal visible header={row ? t('testUsers.editOf', { name }) : t('testUsers.add')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={row ? update : create}
        submit={body =>
          row
            ? update.run({ body: { note: '', ...body, testUserId: row.testUserId, revision: row.revision } })
            : create.run({ body })
        }
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('members.name')} />
        <TextField of={form} name="address" label={t('invite.address')} hint={t('invite.addressHint')} />
        <TextField of={form} name="note" label={t('providers.note')} />
      </ContractFormBox>
    </Modal>
  )
}
