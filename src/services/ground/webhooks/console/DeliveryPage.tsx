import './webhooks.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { useCrumbName, usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Replay } from './Replay.tsx'
import { TryView } from './TryView.tsx'
import { api, toneOfDelivery } from './webhook-calls.ts'

export default function DeliveryPage() {
  const { t } = useTranslation('ground/webhooks')
  const deliveryId = usePageParam('deliveryId')
  const result = useCall(api.getDelivery, { params: { deliveryId } }, { refetchInterval: 10_000 })
  const endpoint = useCall(api.getEndpoint, { params: { endpointId: usePageParam('endpointId') } })
  usePageTitle(result.data?.delivery.type)
  useCrumbName('/webhooks/$endpointId', endpoint.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const { delivery, body, tries } = result.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={delivery.type}
        status={<StatusBadge tone={toneOfDelivery[delivery.state]} text={t(`deliveryStates.${delivery.state}`)} />}
        actions={
          <Can call={api.replayDelivery}>
            <Replay delivery={delivery} />
          </Can>
        }
      />
      <Container header={<Header variant="h2">{t('delivery.facts')}</Header>}>
        <KeyValuePairs
          columns={3}
          items={[
            { label: 'webhook-id', value: <span className="webhooks-address">{`msg_${delivery.deliveryId}`}</span> },
            { label: t('log.at'), value: <When at={delivery.createdAt} show="both" /> },
            { label: t('log.next'), value: <When at={delivery.nextTryAt} show="both" /> },
          ]}
        />
      </Container>
      <Container header={<Header variant="h2">{t('delivery.body')}</Header>}>
        <pre className="webhooks-code">{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </Container>
      <Container header={<Header variant="h2">{t('delivery.tries')}</Header>}>
        {tries.length === 0 ? (
          <EmptyState title={t('delivery.none')} />
        ) : (
          <SpaceBetween size="m">
            {tries.toReversed().map((one, at) => (
              <TryView key={one.tryId} made={one} isOpen={at === 0} />
            ))}
          </SpaceBetween>
        )}
      </Container>
    </SpaceBetween>
  )
}
