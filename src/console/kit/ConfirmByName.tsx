import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface ConfirmByNameProps {
  title: string
  /** What is lost, in plain words. */
  children: ReactNode
  /** What must be typed: the name of the thing. */
  name: string
  /** The verb on the button: Delete, Withdraw. */
  verb: string
  isRunning?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for the name before something that cannot be undone. Render it only while it is open. */
export function ConfirmByName({ title, children, name, verb, isRunning, onConfirm, onCancel }: ConfirmByNameProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === name
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (matches && !isRunning) onConfirm()
  }
  return (
    <Modal
      visible
      header={title}
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel}>
              {t('action.cancel')}
            </Button>
            <Button variant="primary" form="confirm-by-name" disabled={!matches} loading={isRunning ?? false}>
              {verb}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id="confirm-by-name" onSubmit={submit}>
        <SpaceBetween size="m">
          <Alert type="warning">{children}</Alert>
          <FormField label={t('confirm.label', { name })}>
            <Input
              value={typed}
              placeholder={name}
              autoComplete={false}
              spellcheck={false}
              onChange={({ detail }) => setTyped(detail.value)}
            />
          </FormField>
        </SpaceBetween>
      </form>
    </Modal>
  )
}
