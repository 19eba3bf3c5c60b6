import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { dismiss, notices } from '../notify.ts'

/** What has happened, one line each, for pages that carry no components. */
export function PlainNotices() {
  const { t } = useTranslation()
  const shown = useSyncExternalStore(notices.subscribe, notices.get)
  return (
    <div className="lg-plain-notices" aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <p key={id} data-tone={tone}>
          <span>{text}</span>
          <button type="button" aria-label={t('action.close')} onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}
