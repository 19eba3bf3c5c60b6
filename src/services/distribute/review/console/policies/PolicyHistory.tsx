import Modal from '@cloudscape-design/components/modal'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { shownLanguage } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { policyApi } from '../review-calls.ts'

/** Every version of a rule, the newest first. */
export function PolicyHistory({ policyId, onClose }: { policyId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/review')
  const found = useCall(policyApi.listPolicyVersions, { query: { policyId } })
  return (
    <Modal visible size="large" header={t('rules.history', { rule: policyId })} onDismiss={onClose}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.error && <StatusIndicator type="loading">{t('manifest.loading')}</StatusIndicator>}
      <ol className="review-chain">
        {found.data?.list.map(one => (
          <li key={one.version}>
            <strong>{t('rules.versionOf', { version: one.version, title: one.titles[shownLanguage()] })}</strong>
            <div className="lg-soft">
              {one.publishedAt === null ? t('rules.first') : <When at={one.publishedAt} />}
              {one.publishedBy && (
                <>
                  {' · '}
                  <span translate="no">{one.publishedBy}</span>
                </>
              )}
              {one.isRetired && ` · ${t('rules.retired')}`}
            </div>
            <p className="review-said">{one.texts[shownLanguage()]}</p>
          </li>
        ))}
      </ol>
    </Modal>
  )
}
