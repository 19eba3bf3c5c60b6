import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { settingsApi, type TabProps } from '../config-calls.ts'
import { ApprovalsField } from './ApprovalsField.tsx'
import { AttributesTable } from './AttributesTable.tsx'
import { FetchInterval } from './FetchInterval.tsx'

/** How apps ask, and what conditions may ask for. Both are the project's, whichever template is open. */
export function SettingsTab({ where: { projectId } }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const found = useCall(settingsApi.getSettings, { query: { projectId } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <FetchInterval key={`interval ${found.data.revision}`} settings={found.data} />
      <ApprovalsField key={`approvals ${found.data.revision}`} settings={found.data} />
      <AttributesTable projectId={projectId} />
    </SpaceBetween>
  )
}
