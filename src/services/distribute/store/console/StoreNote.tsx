import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'

interface StoreNoteProps {
  title: string
  text?: string
  error?: unknown
  onRetry?: () => void
}

/** In place of content: nothing here, or it did not work. */
export function StoreNote({ title, text, error, onRetry }: StoreNoteProps) {
  const { t } = useTranslation('distribute/store')
  return (
    <div className="store-note" role={error ? 'alert' : 'status'}>
      <h2>{title}</h2>
      <p className="store-soft">{error ? errorText(error) : text}</p>
      {onRetry && (
        <button type="button" className="store-button" onClick={onRetry}>
          {t('state.retry')}
        </button>
      )}
    </div>
  )
}
