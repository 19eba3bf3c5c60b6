import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

interface DialogBoxProps {
  title: string
  /** The verb on the button; Save when left out. */
  verb?: string
  /** What the button does, for whoever compares buttons with what is allowed. */
  action?: string
  isRunning: boolean
  canSubmit?: boolean
  /** What was refused, said below the fields. */
  refusal?: string | null
  size?: 'medium' | 'large'
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A question with its fields, a refusal said below them, and Enter to go on. Where one schema holds all fields, `ContractFormBox` in a `Modal`. */
export function DialogBox(props: DialogBoxProps) {
  const { title, verb, action, isRunning, canSubmit = true, refusal, size = 'medium', onSubmit, onClose } = props
  const { t } = useTranslation()
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
          {props.children}
          {refusal && <Alert type="error">{refusal}</Alert>}
        </SpaceBetween>
      </form>
    </Modal>
  )
}
