import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { fieldText } from '../../../../../console/refusal-text.ts'

interface VisitorFormProps {
  title: string
  submitLabel: string
  busyLabel?: string
  /** What is wrong with the fields, or null; nothing is sent then. */
  check?: (field: (name: string) => string) => string | null
  /** Sends it; what it throws is shown. */
  submit: (field: (name: string) => string) => Promise<void>
  /** Shown above the fields when the page opens. */
  problem?: string | null
  children?: ReactNode
  /** Below the button. */
  after?: ReactNode
}

/** A form of a visitor: one button, one place for what went wrong, which takes the focus. */
export function VisitorForm({
  title,
  submitLabel,
  busyLabel,
  check,
  submit,
  problem,
  children,
  after,
}: VisitorFormProps) {
  const { t } = useTranslation('ground/session')
  const [error, setError] = useState<string | null>(problem ?? null)
  const [isBusy, setBusy] = useState(false)
  const alert = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    if (error !== null) alert.current?.focus()
  }, [error])

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name) ?? '')
    const fault = check?.(field) ?? null
    setError(fault)
    if (fault !== null) return
    setBusy(true)
    try {
      await submit(field)
    } catch (refusal) {
      setError(visitorError(refusal, t('signIn.serverDown'), rule => t(`passwordFaults.${rule}`, { defaultValue: '' })))
    }
    setBusy(false)
  }

  return (
    <form className="sign-in-form" onSubmit={send} noValidate aria-busy={isBusy}>
      <h1>{title}</h1>
      {error && (
        <p className="sign-in-error" role="alert" tabIndex={-1} ref={alert}>
          {error}
        </p>
      )}
      {children}
      <button type="submit" className="sign-in-go" disabled={isBusy}>
        {isBusy ? (busyLabel ?? submitLabel) : submitLabel}
      </button>
      {after}
    </form>
  )
}

/** A refusal in words: of a password by its rule, of the server as one sentence. */
export function visitorError(refusal: unknown, serverDown: string, ofRule: (rule: string) => string): string {
  if (!isCallError(refusal)) return errorText(refusal)
  if (refusal.status >= 500) return serverDown
  const [field] = refusal.fields
  if (!field) return errorText(refusal)
  return ofRule(field.rule) || `${field.pointer.slice(1)}: ${fieldText(field)}`
}
