import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../../../console/call-error.ts'
import type { VersionAction } from '../life/rules.ts'
import { refusalText } from './version-words.ts'

interface EditDialogProps {
  title: string
  /** The verb on the button; Save when left out. */
  verb?: string
  /** The move it makes; the button says so to whoever compares buttons with what is allowed. */
  action?: VersionAction
  isRunning: boolean
  canSubmit?: boolean
  error: CallError | null
  size?: 'medium' | 'large'
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A question with its fields, a refusal said above the buttons, and Enter to go on. */
export function EditDialog(props: EditDialogProps) {
  const {
    title,
    verb,
    action,
    isRunning,
    canSubmit = true,
    error,
    size = 'medium',
    onSubmit,
    onClose,
    children,
  } = props
  const { t } = useTranslation('distribute/versions')
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canSubmit && !isRunning) onSubmit()
  }
  return (
    <Modal
      visible
      size={size}
      header={title}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" formAction="none" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button variant="primary" form={id} disabled={!canSubmit} loading={isRunning} data-confirm={action}>
              {verb ?? t('action.save')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={id} onSubmit={submit} noValidate>
        <SpaceBetween size="m">
          {children}
          {error && <Alert type="error">{refusalText(error)}</Alert>}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
