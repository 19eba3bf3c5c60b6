import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PhasedView, VersionView } from '../version-calls.ts'
import { ConfirmPhasedDialog } from './ConfirmPhasedDialog.tsx'
import { type ShownPhasedAction, shownPhasedActions } from './phased-words.ts'
import { RaiseDialog } from './RaiseDialog.tsx'
import { RollBackDialog } from './RollBackDialog.tsx'

/** A button for each move the server allows now, and its question. */
export function PhasedActions({ phased, version }: { phased: PhasedView; version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const [asked, setAsked] = useState<ShownPhasedAction | null>(null)
  const allowed = shownPhasedActions.filter(action => phased.allowedActions.includes(action))
  const close = () => setAsked(null)
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {allowed.map(action => (
          <Button
            key={action}
            data-action={action}
            variant={action === 'complete' ? 'primary' : 'normal'}
            onClick={() => setAsked(action)}
          >
            {t(`phased.actions.${action}`)}
          </Button>
        ))}
      </SpaceBetween>
      {asked === 'raise' && <RaiseDialog phased={phased} onClose={close} />}
      {asked === 'rollBack' && <RollBackDialog version={version} onClose={close} />}
      {asked !== null && asked !== 'raise' && asked !== 'rollBack' && allowed.includes(asked) && (
        <ConfirmPhasedDialog action={asked} phased={phased} onClose={close} />
      )}
    </>
  )
}
