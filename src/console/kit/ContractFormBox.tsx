import Button from '@cloudscape-design/components/button'
import Form from '@cloudscape-design/components/form'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { CallSpec } from '../../kernel/contract.ts'
import type { Action } from '../use-action.ts'
import type { ContractForm } from './contract-form.ts'

interface ContractFormBoxProps<V extends FieldValues> {
  of: ContractForm<V>
  /** The action, made with `errors: 'form'`. */
  action: Pick<Action<CallSpec>, 'isRunning' | 'error'>
  submit: (values: V) => unknown
  submitLabel: string
  onCancel?: () => void
  children: ReactNode
}

/** The form element with its buttons: refusals of the action land on their fields, the rest above the buttons. */
export function ContractFormBox<V extends FieldValues>(props: ContractFormBoxProps<V>) {
  const { of, action, submit, submitLabel, onCancel, children } = props
  const { t } = useTranslation()
  const { formState, handleSubmit } = of.form
  const { error } = action

  const place = useEffectEvent(of.place)
  useEffect(() => {
    if (error) place(error)
  }, [error])

  return (
    <form
      noValidate
      onSubmit={event => {
        of.form.clearErrors('root')
        void handleSubmit(values => submit(of.tidy(values)))(event)
      }}
    >
      <Form
        errorText={formState.errors.root?.message}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {onCancel && (
              <Button formAction="none" variant="link" onClick={onCancel}>
                {t('action.cancel')}
              </Button>
            )}
            <Button variant="primary" loading={action.isRunning}>
              {submitLabel}
            </Button>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">{children}</SpaceBetween>
      </Form>
    </form>
  )
}
