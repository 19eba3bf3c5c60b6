import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { type ProjectView, projectCalls } from '../app-calls.ts'

export function DeleteProject({ project, onClose }: { project: ProjectView; onClose: () => void }) {
  const { t } = useTranslation(['distribute/apps', 'ground/projects'])
  const go = useGo()
  const { projectId, name, revision } = project
  const act = useAction(projectCalls.deleteProject, {
    invalidates: [projectCalls.listProjects],
    onDone: () => {
      notify({ tone: 'success', text: t('project.deleted', { name }) })
      go('/projects')
    },
  })
  return (
    <ConfirmByName
      title={t('project.deleteTitle', { name })}
      name={name}
      verb={t('action.delete')}
      isRunning={act.isRunning}
      onConfirm={() => void act.run({ query: { projectId } }, { revision }).then(onClose)}
      onCancel={onClose}
    >
      {t('project.deleteText')}
    </ConfirmByName>
  )
}
