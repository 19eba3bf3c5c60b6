import ExpandableSection from '@cloudscape-design/components/expandable-section'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ZoneId } from '../../../../../kernel/zones.ts'

const AppCharts = lazy(() => import('./AppCharts.tsx'))

/** Closed until somebody asks: the pictures, and the call behind them, cost nothing before. */
export function AppGlance({ zone }: { zone: ZoneId }) {
  const { t } = useTranslation('distribute/apps')
  const [isOpen, setOpen] = useState(false)
  return (
    <ExpandableSection
      variant="container"
      headerText={t('charts.title')}
      expanded={isOpen}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      {isOpen && (
        <Suspense fallback={<StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}>
          <AppCharts zone={zone} />
        </Suspense>
      )}
    </ExpandableSection>
  )
}
