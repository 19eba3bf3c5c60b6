import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A text to take along. The clipboard interface is missing on plain http, so the old way is tried there. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('distribute/store')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    if (navigator.clipboard) await navigator.clipboard.writeText(value).catch(() => document.execCommand('copy'))
    else document.execCommand('copy')
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <div className="store-copy">
      <label htmlFor={id}>{label}</label>
      <input id={id} ref={input} readOnly value={value} onFocus={event => event.currentTarget.select()} />
      <button
        type="button"
        className="store-button"
        aria-label={t('copy.of', { what: label })}
        onClick={() => void copy()}
      >
        {isCopied ? t('copy.done') : t('copy.go')}
      </button>
    </div>
  )
}
