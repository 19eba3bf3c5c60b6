import { ChangeTimeDialog } from './ChangeTimeDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import { MinimumDialog } from './MinimumDialog.tsx'
import { RollBackDialog } from './phased/RollBackDialog.tsx'
import { ShelfOffDialog } from './ShelfOffDialog.tsx'
import { SubmitDialog } from './SubmitDialog.tsx'
import { UrgeDialog } from './UrgeDialog.tsx'
import type { ShownAction } from './version-actions.ts'
import type { FindingView, VersionView } from './version-calls.ts'

interface ActionDialogProps {
  action: ShownAction
  version: VersionView
  readiness: readonly FindingView[]
  onClose: () => void
}

/** The question each move asks before it is made. */
export function ActionDialog({ action, version, readiness, onClose }: ActionDialogProps) {
  const ask = { version, onClose }
  switch (action) {
    case 'submit':
      return <SubmitDialog {...ask} readiness={readiness} />
    case 'changeTime':
      return <ChangeTimeDialog {...ask} />
    case 'shelfOff':
      return <ShelfOffDialog {...ask} />
    case 'urge':
      return <UrgeDialog {...ask} />
    case 'rollBack':
      return <RollBackDialog {...ask} />
    case 'setMinimum':
      return <MinimumDialog {...ask} />
    case 'delete':
      return <DeleteDialog {...ask} />
    default:
      return <ConfirmDialog {...ask} action={action} />
  }
}
