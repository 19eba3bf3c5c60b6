import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { moves } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

/** The manifest as XML, read from the bytes. */
export function ManifestEvidence({ taskId }: { taskId: string }) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const found = useCall(
    moves.getManifest,
    { query: { taskId } },
    { ...at, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  )
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('manifest.loading')}</StatusIndicator>
  const { manifestXml } = found.data
  if (manifestXml === null) return <EmptyState title={t('manifest.none')} text={t('manifest.noneText')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className="review-manifest" tabIndex={0} aria-label={t('evidence.manifest')}>
      <pre translate="no">{manifestXml}</pre>
    </section>
  )
}
