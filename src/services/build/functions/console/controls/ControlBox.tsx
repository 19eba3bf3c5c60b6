import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import type { CallError } from '../../../../../console/call-error.ts'
import { refusalText } from '../../../../../console/refusal-text.ts'
import { api } from '../function-calls.ts'

interface ControlBoxProps {
  id: string
  /** Where the names of its fields are in the translations. */
  scope: string
  title: string
  text: string
  /** Left out where it cannot be switched off. */
  isOn?: boolean
  onSwitch?: (isOn: boolean) => void
  isRunning: boolean
  error: CallError | null
  onSave: () => void
  onDefault?: (() => void) | undefined
  children: ReactNode
}

/** One thing that is set of calls: a picture or fields, whether it is on, a button to keep it and one to forget it. */
export function ControlBox(props: ControlBoxProps) {
  const { id, scope, title, text, isOn, onSwitch, isRunning, error, onSave, onDefault, children } = props
  const { t } = useTranslation('build/functions')
  return (
    <Container
      header={
        <Header variant="h2" description={text}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {isOn !== undefined && (
          <Toggle checked={isOn} onChange={({ detail }) => onSwitch?.(detail.checked)}>
            {isOn ? t('on') : t('off')}
          </Toggle>
        )}
        {children}
        {error && <Alert type="error">{refusalText(error, scope)}</Alert>}
        <Can call={api.updateFunction}>
          <div className="lg-actions">
            <SpaceBetween direction="horizontal" size="xs">
              {onDefault && (
                <Button data-action={`default-${id}`} onClick={onDefault}>
                  {t('controls.toDefault')}
                </Button>
              )}
              <Button variant="primary" data-action={`save-${id}`} loading={isRunning} onClick={onSave}>
                {t('save')}
              </Button>
            </SpaceBetween>
          </div>
        </Can>
      </SpaceBetween>
    </Container>
  )
}
