import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from './ActionDialog.tsx'
import { leadingActions, type ShownAction, shownActions } from './version-actions.ts'
import type { FindingView, VersionView } from './version-calls.ts'

/** A button for each move the server allows now, and its question. */
export function VersionActions({ version, readiness }: { version: VersionView; readiness: readonly FindingView[] }) {
  const { t } = useTranslation('distribute/versions')
  const [asked, setAsked] = useState<ShownAction | null>(null)
  // Of a phased version that button stands with the others of its release.
  const isElsewhere = (action: ShownAction) => action === 'rollBack' && version.state === 'PHASED'
  const allowed = shownActions.filter(action => version.allowedActions.includes(action) && !isElsewhere(action))
  return (
    <>
      {allowed.map(action => (
        <Button
          key={action}
          data-action={action}
          variant={leadingActions.includes(action) ? 'primary' : 'normal'}
          onClick={() => setAsked(action)}
        >
          {t(`actions.${action}`)}
        </Button>
      ))}
      {asked && allowed.includes(asked) && (
        <ActionDialog action={asked} version={version} readiness={readiness} onClose={() => setAsked(null)} />
      )}
    </>
  )
}
