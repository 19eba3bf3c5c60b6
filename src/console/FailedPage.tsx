import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isCallError } from './call-error.ts'
import { errorText } from './error-text.ts'

/**
 * What a page that threw shows: the sentence, the request id and a way to try again. In plain HTML, for the page may have
 * failed because nothing could be loaded.
 */
export function FailedPage({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const router = useRouter()
  const requestId = isCallError(error) ? error.requestId : undefined
  return (
    <main id="page" tabIndex={-1} className="lg-plain-page">
      <h1>{t('state.failed')}</h1>
      <p role="alert">{isCallError(error) ? errorText(error) : t('state.notLoaded')}</p>
      {requestId && <p>{t('state.requestId', { id: requestId })}</p>}
      <button type="button" className="lg-plain-button" onClick={() => void router.invalidate()}>
        {t('state.retry')}
      </button>
    </main>
  )
}
