import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ForwardAnswer, rollbackApi, type VersionView } from '../version-calls.ts'

const lookAgainMs = 3_000
const tones = { BUILDING: 'info', DONE: 'success', FAILED: 'error', DROPPED: 'warning' } as const

/** What became of the older build that comes again for the devices with this version, which was rolled back. */
export function ForwardPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId } = version
  const found = useCall(
    rollbackApi.getForward,
    { query: { versionId } },
    {
      refetchInterval: query =>
        (query.state.data as ForwardAnswer | undefined)?.forward?.state === 'BUILDING' ? lookAgainMs : false,
    },
  )
  const forward = found.data?.forward
  if (!forward) return null
  const { state, pkgId } = forward
  const name = `${forward.versionName ?? t('rollback.older')} (${forward.versionCode ?? ''})`
  const place = forward.versionId
    ? hrefOf('/apps/$appId/version/$versionId', { appId, versionId: forward.versionId })
    : hrefOf('/apps/$appId/packages/$pkgId', { appId, pkgId })
  return (
    <Alert
      type={tones[state]}
      header={t(`rollback.forwarded.${state}`)}
      action={<Link href={place}>{t(forward.versionId ? 'rollback.seeVersion' : 'rollback.seePackage')}</Link>}
    >
      {state === 'BUILDING' ? (
        <StatusIndicator type="in-progress">{t('rollback.forwardedText.BUILDING', { name })}</StatusIndicator>
      ) : (
        t(`rollback.forwardedText.${state}`, { name })
      )}
    </Alert>
  )
}
