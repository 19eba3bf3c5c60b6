import './processes.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { processName } from '../rules.ts'
import { ProcessEditor } from './ProcessEditor.tsx'
import { desk } from './process-calls.ts'

/** One process: as a picture, as JSON, as a run, and its versions. */
export default function ProcessPage() {
  const { t } = useTranslation('ground/orchestration')
  const params = { definitionId: usePageParam('definitionId'), processId: usePageParam('processId') }
  const found = useCall(desk.getProcess, { params })
  usePageTitle(processName(params))
  if (found.data) {
    const newest = found.data.versions[0]
    return <ProcessEditor key={`${newest?.versionId} ${newest?.revision}`} process={found.data} />
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={processName(params)} />
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
      )}
    </SpaceBetween>
  )
}
