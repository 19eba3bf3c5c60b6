import './webhooks.css'
import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { DeliveryLog } from './DeliveryLog.tsx'
import { EndpointState } from './EndpointState.tsx'
import { TriesChart } from './TriesChart.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { api } from './webhook-calls.ts'

export default function WebhookPage() {
  const { t } = useTranslation('ground/webhooks')
  const endpointId = usePageParam('endpointId')
  const result = useCall(api.getEndpoint, { params: { endpointId } }, { refetchInterval: 15_000 })
  usePageTitle(result.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const endpoint = result.data
  const { name, url, eventTypes, projectId, state, failingSince, oldSecretUntil, createdAt } = endpoint
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={name}
        status={<EndpointState endpoint={endpoint} />}
        actions={<WebhookActions endpoint={endpoint} />}
      />
      {state === 'FAILED' && (
        <Alert type="error" header={t('page.failed')}>
          {t('page.failedText')}
        </Alert>
      )}
      {state === 'ENABLED' && failingSince !== null && (
        <Alert type="warning" header={t('page.failing')}>
          {t('page.failingText')} <When at={failingSince} show="relative" />
        </Alert>
      )}
      <Container header={<Header variant="h2">{t('page.facts')}</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: t('form.url'), value: <span className="webhooks-address">{url}</span> },
            { label: t('form.project'), value: projectId === null ? t('form.wholeTeam') : projectId },
            { label: t('page.created'), value: <When at={createdAt} /> },
            {
              label: t('form.events'),
              value: (
                <span className="webhooks-address">
                  {eventTypes.length === 0 ? t('events.all') : eventTypes.join(', ')}
                </span>
              ),
            },
            ...(oldSecretUntil === null ? [] : [{ label: t('page.oldSecret'), value: <When at={oldSecretUntil} /> }]),
          ]}
        />
      </Container>
      <TriesChart endpointId={endpointId} />
      <DeliveryLog endpointId={endpointId} isEnabled={state === 'ENABLED'} />
    </SpaceBetween>
  )
}
