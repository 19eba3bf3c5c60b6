import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../../console/call-error.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { fieldText } from '../../../../../console/refusal-text.ts'
import type { FieldError } from '../../../../../kernel/errors.ts'

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

  const ofPassword = ({ pointer, rule }: FieldError) =>
    pointer === '/password' ? t(`passwordFaults.${rule}`, { defaultValue: '' }) : ''

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const filled = new FormData(form)
    const field = (name: string) => String(filled.get(name) ?? '')
    const fault = check?.(field) ?? null
    setError(fault)
    if (fault !== null) return
    setBusy(true)
    try {
      await submit(field)
    } catch (refusal) {
      setError(
        visitorError(
          refusal,
          t('signIn.serverDown'),
          one => ofPassword(one) || `${labelIn(form, one)}: ${fieldText(one)}`,
        ),
      )
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

/** The name that a refused field has on the page. */
function labelIn(form: HTMLFormElement, { pointer }: FieldError): string {
  const name = pointer.slice(1)
  const input = form.elements.namedItem(name)
  return (input instanceof HTMLInputElement && input.labels?.[0]?.textContent) || name
}

/** A refusal in words: of its first field, of the server as one sentence. */
export function visitorError(refusal: unknown, serverDown: string, wordsOf: (field: FieldError) => string): string {
  if (!isCallError(refusal)) return errorText(refusal)
  if (refusal.status >= 500) return serverDown
  const [field] = refusal.fields
  return field ? wordsOf(field) : errorText(refusal)
}
