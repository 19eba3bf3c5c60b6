import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { setsApi } from '../targeting-calls.ts'
import { RulesEditor } from './RulesEditor.tsx'
import { SetActions } from './SetActions.tsx'
import { SetState } from './SetState.tsx'
import { VersionsTab } from './VersionsTab.tsx'

const tabs = ['rules', 'versions'] as const

/** One rule set: its draft with a context to try it on, and what was published. */
export default function RuleSetPage() {
  const { t } = useTranslation('grow/targeting')
  const ruleSetId = usePageParam('ruleSetId')
  const result = useCall(setsApi.getRuleSet, { params: { ruleSetId } })
  const [{ tab }, change] = usePageSearch(raw => ({ tab: tabs.find(one => one === raw['tab']) ?? 'rules' }))
  const [hasEdits, setHasEdits] = useState(false)
  usePageTitle(result.data?.name)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const set = result.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={set.name}
        description={
          <span translate="no">
            <code>{set.code}</code> {set.description}
          </span>
        }
        status={<SetState set={set} />}
        actions={<SetActions set={set} hasEdits={hasEdits} />}
      />
      <Tabs
        activeTabId={tab}
        ariaLabel={set.name}
        onChange={({ detail }) => change({ tab: detail.activeTabId as 'rules' })}
        tabs={[
          {
            id: 'rules',
            label: t('setTabs.rules'),
            // After a write the draft on screen is what was kept.
            content: tab === 'rules' && <RulesEditor key={set.revision} set={set} onEdits={setHasEdits} />,
          },
          { id: 'versions', label: t('setTabs.versions'), content: tab === 'versions' && <VersionsTab set={set} /> },
        ]}
      />
    </SpaceBetween>
  )
}
