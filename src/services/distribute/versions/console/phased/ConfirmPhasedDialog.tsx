import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { EditDialog } from '../EditDialog.tsx'
import { type PhasedView, phasedApi } from '../version-calls.ts'

const wishes = {
  drop: { releasePhase: 4 },
  pause: { state: 'SUSPEND' },
  resume: { state: 'RELEASE' },
  complete: { releasePhase: 4 },
  cancel: { state: 'CANCEL' },
} as const

interface ConfirmPhasedDialogProps {
  action: keyof typeof wishes
  phased: PhasedView
  onClose: () => void
}

/** Moves that need no more than a yes, with what follows from it in words. */
export function ConfirmPhasedDialog({ action, phased, onClose }: ConfirmPhasedDialogProps) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, pauseLeftMs } = phased
  const act = useAction(phasedApi.updatePhasedRelease, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t(`phased.done.${action}`) })
      onClose()
    },
  })
  return (
    <EditDialog
      title={t(`phased.ask.${action}`)}
      verb={t(`phased.actions.${action}`)}
      action={action}
      isRunning={act.isRunning}
      error={act.error}
      onSubmit={() => void act.run({ body: { versionId, ...wishes[action] } }, { revision })}
      onClose={onClose}
    >
      <p className="version-said">{t(`phased.asks.${action}`, { count: Math.ceil(pauseLeftMs / 86_400_000) })}</p>
    </EditDialog>
  )
}
