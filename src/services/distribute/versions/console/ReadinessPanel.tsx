import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { FindingList } from './FindingList.tsx'
import type { FindingView, VersionView } from './version-calls.ts'

/** The server's list of what is missing, so that submitting holds no surprise. */
export function ReadinessPanel({ version, readiness }: { version: VersionView; readiness: readonly FindingView[] }) {
  const { t } = useTranslation('distribute/versions')
  const blocks = readiness.filter(one => one.severity === 'BLOCK').length
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={blocks > 0 ? t('readiness.blocks', { count: blocks }) : undefined}
          counter={readiness.length > 0 ? `(${readiness.length})` : ''}
        >
          {t('readiness.title')}
        </Header>
      }
    >
      <div id="readiness">
        {readiness.length === 0 ? (
          <StatusBadge tone="good" text={t('readiness.none')} />
        ) : (
          <FindingList
            findings={readiness}
            appId={version.appId}
            versionId={version.versionId}
            canFix={version.allowedActions.includes('edit')}
          />
        )}
      </div>
    </Container>
  )
}
