import '../lifecycle.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { api, ruleName, toneOfVerdict } from '../lifecycle-calls.ts'
import { VerdictBadge } from './VerdictBadge.tsx'

/** What a detection found, thing by thing. */
export function HitList({ taskId }: { taskId: string }) {
  const { t } = useTranslation('distribute/lifecycle')
  const found = useCall(api.getDetection, { query: { taskId } }, { refetchInterval: 2_000 })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const detection = found.data
  if (!detection) return null
  return (
    <Container
      header={
        <Header variant="h2" actions={<VerdictBadge detection={detection} />}>
          {t('detect.found')}
        </Header>
      }
    >
      {detection.state === 'DONE' && detection.hits.length === 0 ? (
        <EmptyState title={t('detect.nothing')} text={t('detect.nothingText')} />
      ) : (
        <ul className="lifecycle-hits">
          {detection.hits.map(hit => (
            <li key={`${hit.rule} ${hit.index} ${hit.at}`}>
              <StatusBadge tone={toneOfVerdict[hit.level]} text={ruleName(hit.rule)} />
              {detection.kind === 'PICTURES' && <span>{t('detect.picture', { number: hit.index + 1 })}</span>}
              {hit.seen && <code translate="no">{hit.seen}</code>}
            </li>
          ))}
        </ul>
      )}
    </Container>
  )
}
