import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type PackageView, wrappedCalls } from '../package-calls.ts'

/** What the package itself says of the data it handles, and the button that makes it the app's word. */
export function Privacy({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const { pkgId } = one
  const found = useCall(wrappedCalls.getPrivacyManifest, { query: { pkgId } })
  const take = useAction(wrappedCalls.importPrivacyManifest)
  const { manifest, imported } = found.data ?? { manifest: null, imported: null }
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('privacy.text')}
          actions={
            <Can call={wrappedCalls.importPrivacyManifest}>
              <Button
                data-action="importPrivacy"
                disabled={one.state !== 'READY' || imported?.isSame === true}
                loading={take.isRunning}
                onClick={() => void take.run({ body: { pkgId } })}
              >
                {t('privacy.take')}
              </Button>
            </Can>
          }
        >
          {t('privacy.title')}
        </Header>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {imported?.isSame && <StatusBadge tone="good" text={t('privacy.same')} />}
      {imported && !imported.isSame && <StatusBadge tone="caution" text={t('privacy.differs')} />}
      <ul className="packages-changes">
        {manifest?.dataProcess.map(entry => (
          <li key={JSON.stringify(entry)}>
            <span>
              <strong>{[entry.dataType, ...entry.labels].filter(Boolean).join(' · ')}</strong>{' '}
              <span className="lg-soft">{entry.purposes.join(', ')}</span>
            </span>
            <span className="packages-badges">
              {entry.isLinked && <StatusBadge tone="info" text={t('privacy.linked')} />}
              {entry.isTracking && <StatusBadge tone="caution" text={t('privacy.tracking')} />}
            </span>
          </li>
        ))}
        {manifest?.specialApis.map(api => (
          <li key={api.apiType}>
            <span>{api.apiType}</span>
            <span className="lg-soft">{api.reasons.join(', ')}</span>
          </li>
        ))}
      </ul>
    </Container>
  )
}
