import '../shell/cloudscape.css.ts'
import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../call-error.ts'
import { errorText } from '../error-text.ts'

interface ErrorStateProps {
  error: unknown
  onRetry?: () => void
}

/** A refused or failed call in place of its content: the sentence, the request id to quote, a way to try again. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation()
  const requestId = isCallError(error) ? error.requestId : undefined
  return (
    <Alert
      type="error"
      header={t('state.failed')}
      action={onRetry && <Button onClick={onRetry}>{t('state.retry')}</Button>}
    >
      {errorText(error)}
      {requestId && (
        <Box color="text-body-secondary" fontSize="body-s">
          {t('state.requestId', { id: requestId })}
        </Box>
      )}
    </Alert>
  )
}
