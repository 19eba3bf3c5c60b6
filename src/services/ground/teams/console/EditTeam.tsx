import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { enterSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { teams } from '../contract.ts'
import { sessionPort } from './session-port.ts'
import { api } from './team-calls.ts'

interface EditTeamProps {
  team: { teamId: string; name: string; description: string; contactEmail: string; revision: number }
  onClose: () => void
}

export function EditTeam({ team, onClose }: EditTeamProps) {
  const { t } = useTranslation('ground/teams')
  const { name, description, contactEmail, revision } = team
  const form = useContractForm(teams.calls.updateTeamInfo.body, { name, description, contactEmail, revision })
  const act = useAction(api.updateTeamInfo, {
    errors: 'form',
    onDone: saved => {
      notify({ tone: 'success', text: t('team.saved', { name: saved.name }) })
      onClose()
      // The top bar shows the name of the team out of the session.
      void sessionPort.read(team.teamId).then(enterSession)
    },
  })
  return (
    <Modal visible header={t('team.edit')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body: { description: '', contactEmail: '', ...body } })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('team.name')} />
        <TextAreaField of={form} name="description" label={t('team.description')} />
        <TextField of={form} name="contactEmail" label={t('team.contactEmail')} inputMode="email" />
      </ContractFormBox>
    </Modal>
  )
}
