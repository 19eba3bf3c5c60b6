import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { projects } from '../../../../ground/projects/contract.ts'
import { type ProjectView, projectCalls } from '../app-calls.ts'

export function EditProject({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const { t } = useTranslation(['distribute/apps', 'ground/projects'])
  const { projectId, name, revision } = project
  const form = useContractForm(projects.calls.updateProject.body, { projectId, name, revision })
  const act = useAction(projectCalls.updateProject, {
    errors: 'form',
    onDone: saved => {
      notify({ tone: 'success', text: t('project.renamed', { name: saved.name }) })
      onClose()
    },
  })
  return (
    <Modal visible header={t('project.rename')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <TextField of={form} name="name" label={t('project.name')} />
      </ContractFormBox>
    </Modal>
  )
}
