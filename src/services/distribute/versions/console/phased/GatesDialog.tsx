import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { EditDialog } from '../EditDialog.tsx'
import { type PhasedView, phasedApi } from '../version-calls.ts'
import { GateFields } from './GateFields.tsx'
import { draftsOf, gatesOf } from './gate-draft.ts'

/** The gates of a release, all of them at once. */
export function GatesDialog({ phased, onClose }: { phased: PhasedView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision } = phased
  const [drafts, setDrafts] = useState(() => draftsOf(phased.gates))
  const { gates, fault } = gatesOf(drafts)
  const act = useAction(phasedApi.updatePhasedRelease, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('phased.done.setGates') })
      onClose()
    },
  })
  return (
    <EditDialog
      title={t('phased.ask.setGates')}
      action="setGates"
      size="large"
      isRunning={act.isRunning}
      error={act.error}
      canSubmit={fault === null}
      onSubmit={() => void act.run({ body: { versionId, gates } }, { revision })}
      onClose={onClose}
    >
      <p className="version-said">{t('phased.asks.setGates')}</p>
      <GateFields value={drafts} onChange={setDrafts} />
    </EditDialog>
  )
}
