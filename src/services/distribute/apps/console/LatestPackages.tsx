import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import type { AppView } from './app-calls.ts'
import { packageCalls } from './overview/overview-calls.ts'

const shown = 4

export function LatestPackages({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const { appId } = app
  const found = useCall(packageCalls.listPackages, { query: { appId, pageSize: shown } })
  const all = hrefOf('/apps/$appId/packages', { appId })
  const toneOf = { READY: 'good', FAILED: 'bad', ARCHIVED: 'stopped' } as const
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={found.data ? `(${found.data.total})` : ''}
          actions={<Button href={all}>{t('packages.all')}</Button>}
        >
          {t('packages.title')}
        </Header>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {found.data?.total === 0 && <EmptyState title={t('packages.none')} text={t('packages.noneText')} />}
      {found.data && found.data.total > 0 && (
        <ul className="apps-lines">
          {found.data.list.map(one => (
            <li key={one.pkgId}>
              <span>
                <Link href={hrefOf('/apps/$appId/packages/$pkgId', { appId, pkgId: one.pkgId })}>
                  {one.versionName ? `${one.versionName} (${one.versionCode})` : one.fileName}
                </Link>
                <br />
                <span className="lg-soft">
                  <ByteSize value={one.sizeBytes} /> · <When at={one.createdAt} show="relative" />
                </span>
              </span>
              <StatusBadge
                tone={toneOf[one.state as keyof typeof toneOf] ?? 'running'}
                text={t(`packages.states.${one.state}`)}
              />
            </li>
          ))}
        </ul>
      )}
    </Container>
  )
}
