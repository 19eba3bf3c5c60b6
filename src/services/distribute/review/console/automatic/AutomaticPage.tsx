import '../review.css'
import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { automatic } from '../review-calls.ts'
import { AutomaticForm } from './AutomaticForm.tsx'

/** When the store passes something without a look, and how much of that it looks at all the same. */
export default function AutomaticPage() {
  const { t } = useTranslation('distribute/review')
  const found = useCall(automatic.getAutoRules, {})
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const { isOn, revision } = found.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('auto.title')}
        description={t('auto.text')}
        status={<StatusBadge tone={isOn ? 'good' : 'off'} text={isOn ? t('auto.on') : t('auto.off')} />}
      />
      <Alert type="info" header={t('auto.never')}>
        {t('auto.neverText')}
      </Alert>
      <AutomaticForm key={revision} rules={found.data} />
    </SpaceBetween>
  )
}
