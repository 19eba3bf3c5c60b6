import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { packagesApi, type VersionView } from './version-calls.ts'
import { nameOf } from './version-words.ts'

const tones: Record<string, Tone> = { READY: 'good', FAILED: 'bad', ARCHIVED: 'stopped' }

/** The chosen package in a few facts. */
export function PackageFacts({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { pkgId } = version
  const found = useCall(
    packagesApi.getPackage,
    { query: { pkgId: pkgId ?? '' } },
    {
      enabled: pkgId !== null,
      refetchInterval: query => (isBusy((query.state.data as { state?: string } | undefined)?.state) ? 2000 : false),
    },
  )
  if (pkgId === null) return <span className="lg-soft">{t('package.none')}</span>
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const pkg = found.data
  if (!pkg) return <StatusBadge tone="running" text={t('state.loading')} />
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={1}
        items={[
          { label: t('package.name'), value: <span className="version-package-name">{pkg.packageName ?? '–'}</span> },
        ]}
      />
      <KeyValuePairs
        columns={3}
        minColumnWidth={130}
        items={[
          { label: t('package.version'), value: nameOf(pkg) },
          {
            label: t('package.state'),
            value: <StatusBadge tone={tones[pkg.state] ?? 'running'} text={t(`package.states.${pkg.state}`)} />,
          },
          { label: t('package.size'), value: <ByteSize value={pkg.sizeBytes} /> },
          {
            label: t('package.sdk'),
            value: t('package.sdks', { min: pkg.minSdk ?? '–', target: pkg.targetSdk ?? '–' }),
          },
          { label: t('package.permissions'), value: pkg.permissions.length },
        ]}
      />
    </SpaceBetween>
  )
}

const isBusy = (state: string | undefined) => state !== undefined && !(state in tones)
