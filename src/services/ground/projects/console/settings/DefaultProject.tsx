import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { settingsApi } from '../project-calls.ts'

/** Whether cloud services take this project when none is named, and the button that makes it so. */
export function DefaultProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('ground/projects')
  const found = useCall(settingsApi.getTeamProject, {})
  const act = useAction(settingsApi.setTeamProject)
  if (!found.data) return null
  const { project } = found.data
  if (project?.projectId === projectId) return <Alert type="success">{t('general.isDefault')}</Alert>
  return (
    <Alert
      type="info"
      action={
        <Can call={settingsApi.setTeamProject}>
          <Button
            data-action="take-as-default"
            loading={act.isRunning}
            onClick={() => void act.run({ body: { projectId } })}
          >
            {t('general.makeDefault')}
          </Button>
        </Can>
      }
    >
      {project ? t('general.otherDefault', { name: project.name }) : t('general.noDefault')}
    </Alert>
  )
}
