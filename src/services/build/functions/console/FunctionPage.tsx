import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf, usePageParam } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { errorText } from '../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { PendingPage } from '../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { projectZone } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { CallsTab } from './CallsTab.tsx'
import { CodeTab } from './code/CodeTab.tsx'
import { api, type FunctionView, summaryApi } from './function-calls.ts'
import { GovernanceTab } from './governance/GovernanceTab.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { QueueTab } from './queue/QueueTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { ScalingTab } from './scaling/ScalingTab.tsx'
import { TriggersTab } from './triggers/TriggersTab.tsx'
import { VersionsTab } from './versions/VersionsTab.tsx'

const tabs: Readonly<Record<string, ComponentType<{ of: FunctionView }>>> = {
  code: CodeTab,
  versions: VersionsTab,
  triggers: TriggersTab,
  calls: CallsTab,
  queue: QueueTab,
  governance: GovernanceTab,
  scaling: ScalingTab,
  settings: SettingsTab,
}

/** One function: its code, versions, calls and settings. */
export default function FunctionPage() {
  const { t } = useTranslation('build/functions')
  const functionId = usePageParam('functionId')
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: Object.hasOwn(tabs, String(raw['tab'])) ? String(raw['tab']) : 'code',
  }))
  const found = useCall(api.getFunction, { params: { functionId } })
  const runtimes = useCall(api.listRuntimes, {})
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  const of = found.data.function
  const Content = tabs[tab] ?? CodeTab
  const runtime = runtimes.data?.runtimes.find(one => one.id === of.config.runtime)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={of.functionName}
        description={of.description}
        status={
          runtime && (
            <StatusBadge
              tone={runtime.isThere ? 'good' : 'bad'}
              text={runtime.id === 'image' ? t('image.label') : runtime.label}
            />
          )
        }
        actions={<Actions of={of} />}
      />
      <Tabs
        activeTabId={tab}
        ariaLabel={of.functionName}
        onChange={({ detail }) => change({ tab: detail.activeTabId })}
        tabs={Object.keys(tabs).map(id => ({
          id,
          label: t(`tabs.${id}`),
          content: id === tab ? <Content of={of} /> : null,
        }))}
      />
    </SpaceBetween>
  )
}

function Actions({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const [isLeaving, setLeaving] = useState(false)
  const [isPublishing, setPublishing] = useState(false)
  const zone = projectZone.get()
  const remove = useAction(api.deleteFunction, {
    errors: 'form',
    invalidates: [summaryApi.listSummaries],
    onDone: () => location.assign(hrefOf('/functions', {}, { projectId, ...(zone ? { zone } : {}) })),
  })
  return (
    <Can call={api.publishVersion}>
      <SpaceBetween direction="horizontal" size="xs">
        <Button data-action="delete" onClick={() => setLeaving(true)}>
          {t('delete')}
        </Button>
        <Button variant="primary" data-action="publish" disabled={!of.hasChanges} onClick={() => setPublishing(true)}>
          {t('publish')}
        </Button>
      </SpaceBetween>
      {isPublishing && <PublishDialog of={of} onClose={() => setPublishing(false)} />}
      {isLeaving && (
        <ConfirmByName
          title={t('deleteTitle')}
          name={functionName}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { functionId }, query: { force: 'true' } })}
          onCancel={() => setLeaving(false)}
        >
          {t('deleteText')} {remove.error && errorText(remove.error)}
        </ConfirmByName>
      )}
    </Can>
  )
}
