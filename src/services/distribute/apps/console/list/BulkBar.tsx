import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { type AppView, bulkCalls, submissionCalls } from '../app-calls.ts'
import { BulkDialog } from './BulkDialog.tsx'
import { type BulkAction, bulkActions, versionsFor } from './bulk-choices.ts'

const callOf = {
  submit: bulkCalls.submitVersions,
  together: submissionCalls.createSubmission,
  withdraw: bulkCalls.withdrawVersions,
  shelfOff: bulkCalls.shelfOffVersions,
} as const

/** What can be done with the chosen apps at once; each only for those it makes sense for. */
export function BulkBar({ apps, zone, onDone }: { apps: readonly AppView[]; zone: ZoneId; onDone: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const [action, setAction] = useState<BulkAction | null>(null)
  if (apps.length === 0) return null
  return (
    <>
      {bulkActions.map(one => (
        <Can key={one} call={callOf[one]}>
          <Button
            data-action={`bulk-${one}`}
            disabled={versionsFor(one, apps).length === 0}
            onClick={() => setAction(one)}
          >
            {`${t(`bulk.${one}`)} (${versionsFor(one, apps).length})`}
          </Button>
        </Can>
      ))}
      {action && (
        <BulkDialog
          action={action}
          versionIds={versionsFor(action, apps)}
          names={apps.map(app => app.name)}
          zone={zone}
          onClose={() => setAction(null)}
          onDone={onDone}
        />
      )}
    </>
  )
}
