import type { ComponentProps } from 'react'
import type { CallError } from '../../../../console/call-error.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import type { VersionAction } from '../life/rules.ts'
import type { PhasedAction } from '../phased/rules.ts'
import { refusalText } from './version-words.ts'

interface EditDialogProps extends Omit<ComponentProps<typeof DialogBox>, 'action' | 'refusal'> {
  /** The move it makes; the button says so to whoever compares buttons with what is allowed. */
  action?: VersionAction | PhasedAction
  error: CallError | null
}

/** A question about a version; what is refused is said in its words. */
export function EditDialog({ error, ...props }: EditDialogProps) {
  return <DialogBox {...props} refusal={error && refusalText(error)} />
}
