import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { isNamedSwitch } from '../../rules.ts'
import { operations } from '../menu-calls.ts'
import { useLanguage } from '../shown-language.ts'
import { SwitchEditor } from './SwitchEditor.tsx'
import { switchWords } from './switch-words.data.ts'

/** One switch, and who gets what it opens. */
export default function SwitchPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const feature = usePageParam('feature')
  const found = useCall(operations.listSwitches, { query: { search: feature, pageSize: 100 } })
  const row = found.data?.list.find(one => one.feature === feature)
  usePageTitle(feature)

  if (found.isPending) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={feature}
        {...(row && {
          status: <StatusBadge tone={row.isOn ? 'good' : 'off'} text={row.isOn ? t('slots.on') : t('slots.off')} />,
        })}
        description={isNamedSwitch(feature) ? switchWords[feature][language] : t('switches.pageText')}
      />
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {row && <SwitchEditor key={row.revision} row={row} />}
      {found.data && !row && <EmptyState title={t('switches.none')} text={t('switches.noneText')} />}
    </SpaceBetween>
  )
}
