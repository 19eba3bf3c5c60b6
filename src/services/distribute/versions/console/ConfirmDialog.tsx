import { useTranslation } from 'react-i18next'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { EditDialog } from './EditDialog.tsx'
import { api, shelfApi, type VersionView } from './version-calls.ts'

interface ConfirmDialogProps {
  action: 'withdraw' | 'release' | 'cancelShelfOff' | 'acknowledgeShelfOff'
  version: VersionView
  onClose: () => void
}

const releaseNow = 1

/** Moves that need no more than a yes, with what follows from it in words. */
export function ConfirmDialog({ action, version, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision } = version
  const onDone = () => {
    notify({ tone: 'success', text: t(`done.${action}`) })
    onClose()
  }
  const withdraw = useAction(api.withdrawVersion, { onDone, errors: 'form' })
  const release = useAction(api.updateReleaseTime, { onDone, errors: 'form' })
  const cancel = useAction(shelfApi.cancelShelfOff, { onDone, errors: 'form' })
  const act = action === 'withdraw' ? withdraw : action === 'release' ? release : cancel
  const run = () => {
    if (action === 'withdraw') return withdraw.run({ body: { versionId } }, { revision })
    if (action === 'release') return release.run({ body: { versionId, changeType: releaseNow } }, { revision })
    return cancel.run({ body: { versionId } }, { revision })
  }
  return (
    <EditDialog
      title={t(`ask.${action}`)}
      verb={t(`actions.${action}`)}
      action={action}
      isRunning={act.isRunning}
      error={act.error}
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <p className="version-said">
        {action === 'release' && version.releasePhase === 3 ? t('phased.release') : t(`asks.${action}`)}
      </p>
    </EditDialog>
  )
}
