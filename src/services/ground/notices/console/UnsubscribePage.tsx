import './notices.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api } from './notice-calls.ts'

const readSearch = (raw: Record<string, unknown>) => ({ token: String(raw['token'] ?? '') })

/** Where a link in a mail leads: it asks first, for mail programs follow links by themselves. */
export default function UnsubscribePage() {
  const { t } = useTranslation('ground/notices')
  const [{ token }] = usePageSearch(readSearch)
  const [ended, setEnded] = useState<string | null>(null)
  const end = useAction(api.unsubscribe, { errors: 'form', onDone: ({ what }) => setEnded(what) })
  return (
    <main className="notices-visitor" id="page">
      <Container header={<Header variant="h1">{t('unsubscribe.title')}</Header>}>
        <SpaceBetween size="m">
          {ended === null ? (
            <>
              <span>{t('unsubscribe.text')}</span>
              {end.error && <ErrorState error={end.error} />}
              <Button
                variant="primary"
                data-action="unsubscribe"
                loading={end.isRunning}
                onClick={() => void end.run({ query: { token } })}
              >
                {t('unsubscribe.go')}
              </Button>
            </>
          ) : (
            <Alert type="success">{t('unsubscribe.done', { what: t(`ends.${ended}`) })}</Alert>
          )}
        </SpaceBetween>
      </Container>
    </main>
  )
}
