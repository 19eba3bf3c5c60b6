import Alert from '@cloudscape-design/components/alert'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { When } from '../../../../console/kit/When.tsx'
import type { VersionView } from './version-calls.ts'

/** Why the store said no, and where to answer. */
export function RejectionPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId, rejection } = version
  return (
    <Alert
      type="error"
      header={t('rejected.title')}
      action={
        <Link variant="primary" href={hrefOf('/apps/$appId/submission', { appId }, { versionId })}>
          {t('rejected.thread')}
        </Link>
      }
    >
      {rejection && (
        <>
          <p className="version-said">{rejection.note}</p>
          <When at={rejection.at} />
        </>
      )}
    </Alert>
  )
}
