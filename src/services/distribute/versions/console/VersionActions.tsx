import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VersionAction } from '../rules.ts'
import { ActionDialog } from './ActionDialog.tsx'
import type { FindingView, VersionView } from './version-calls.ts'

/** In the order people look for them, the one that leads on last. `edit` stands beside what it changes. */
const shownActions = [
  'delete',
  'withdraw',
  'urge',
  'shelfOff',
  'cancelShelfOff',
  'acknowledgeShelfOff',
  'changeTime',
  'release',
  'submit',
] as const satisfies readonly VersionAction[]
const leading: readonly VersionAction[] = ['submit', 'release']

export type ShownAction = (typeof shownActions)[number]

/** A button for each move the server allows now, and its question. */
export function VersionActions({ version, readiness }: { version: VersionView; readiness: readonly FindingView[] }) {
  const { t } = useTranslation('distribute/versions')
  const [asked, setAsked] = useState<ShownAction | null>(null)
  const allowed = shownActions.filter(action => version.allowedActions.includes(action))
  return (
    <>
      {allowed.map(action => (
        <Button
          key={action}
          data-action={action}
          variant={leading.includes(action) ? 'primary' : 'normal'}
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
