import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { type ClientView, toneOf } from './client-calls.ts'

/** The state of a client; one that nobody answers for says so. */
export function ClientState({ client }: { client: ClientView }) {
  const { t } = useTranslation('ground/api-clients')
  const { state, grantedBy } = client
  if (state === 'ACTIVE' && !grantedBy?.isMember) return <StatusBadge tone="caution" text={t('states.waiting')} />
  return <StatusBadge tone={toneOf[state]} text={t(`states.${state}`)} />
}
