import '../agreements.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { consentApi } from '../agreement-calls.ts'

/** What the person lets be done with their data, purpose by purpose; each can be taken back as easily as given. */
export function ConsentToggles() {
  const { t } = useTranslation('ground/agreements')
  const found = useCall(consentApi.queryConsents, { body: {} })
  const sign = useAction(consentApi.signConsents)
  return (
    <Container
      header={
        <Header variant="h2" description={t('consents.text')}>
          {t('consents.title')}
        </Header>
      }
    >
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.consents.map(({ purpose, isAgree, signedAt }) => (
        <div className="agr-line" key={purpose}>
          <Toggle
            checked={isAgree}
            disabled={sign.isRunning}
            description={t(`consents.about.${purpose}`)}
            data-action={`consent-${purpose}`}
            onChange={({ detail }) => void sign.run({ body: { consents: [{ purpose, isAgree: detail.checked }] } })}
          >
            {t(`consents.purposes.${purpose}`)}
          </Toggle>
          {signedAt !== null && (
            <span className="lg-soft">
              {isAgree ? t('consents.since') : t('consents.withdrawn')} <When at={signedAt} />
            </span>
          )}
        </div>
      ))}
    </Container>
  )
}
