import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { When } from '../../../../console/kit/When.tsx'
import { isEditable } from '../life/rules.ts'
import { FindingList } from './FindingList.tsx'
import { ReadinessPanel } from './ReadinessPanel.tsx'
import { RejectionPanel } from './RejectionPanel.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'
import { ShelfPanel } from './ShelfPanel.tsx'
import type { FindingView, VersionView } from './version-calls.ts'
import { WaitingPanel } from './WaitingPanel.tsx'

/** What matters in the state the version is in. */
export function StatePanel({ version, readiness }: { version: VersionView; readiness: readonly FindingView[] }) {
  const { t } = useTranslation('distribute/versions')
  const { state, appId, versionId } = version
  const notice = version.storeNotice
  return (
    <SpaceBetween size="l">
      {notice && (
        <Alert type="error" header={t('notice.title', { code: notice.reasonCode })}>
          <p className="version-said">{notice.notice}</p>
          <When at={notice.at} />
        </Alert>
      )}
      {version.isSubmitQueued && <Alert type="info">{t('queued.text')}</Alert>}
      {state === 'REJECTED' && <RejectionPanel version={version} />}
      {version.findings.length > 0 && isEditable(state) && (
        <Alert type="error" header={t('precheck.failed')}>
          <FindingList findings={version.findings} appId={appId} versionId={versionId} canFix={isEditable(state)} />
        </Alert>
      )}
      {(state === 'PRECHECK' || state === 'IN_REVIEW') && <ReviewPanel version={version} />}
      {state === 'PENDING_RELEASE' && <WaitingPanel version={version} />}
      {version.onShelfAt !== null && !isEditable(state) && <ShelfPanel version={version} />}
      {version.allowedActions.includes('submit') || isEditable(state) ? (
        <ReadinessPanel version={version} readiness={readiness} />
      ) : null}
    </SpaceBetween>
  )
}
