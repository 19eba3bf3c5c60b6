import './webhooks.css'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { type EndpointView, toneOfEndpoint } from './webhook-calls.ts'

/** The state of a webhook; one that is enabled and accepts nothing says so. */
export function EndpointState({ endpoint }: { endpoint: EndpointView }) {
  const { t } = useTranslation('ground/webhooks')
  const { state, failingSince } = endpoint
  if (state === 'ENABLED' && failingSince !== null) return <StatusBadge tone="caution" text={t('states.failing')} />
  return <StatusBadge tone={toneOfEndpoint[state]} text={t(`states.${state}`)} />
}
