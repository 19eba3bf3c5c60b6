import './remote-config.css'
import FormField from '@cloudscape-design/components/form-field'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Tabs from '@cloudscape-design/components/tabs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useIsNarrow } from '../../../../console/shell/use-is-narrow.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type Kind, kinds } from '../rules.ts'
import { ConditionsTab } from './conditions/ConditionsTab.tsx'
import { api, projectsApi, type TabProps, type Where } from './config-calls.ts'
import { DraftBanner } from './DraftBanner.tsx'
import { ParametersTab } from './parameters/ParametersTab.tsx'
import { RequestsTab } from './requests/RequestsTab.tsx'
import { RolloutsTab } from './rollouts/RolloutsTab.tsx'
import { SettingsTab } from './settings/SettingsTab.tsx'
import { TryTab } from './try/TryTab.tsx'
import { SchedulesTab } from './versions/SchedulesTab.tsx'
import { VersionsTab } from './versions/VersionsTab.tsx'

const tabs: Readonly<Record<string, ComponentType<TabProps>>> = {
  parameters: ParametersTab,
  conditions: ConditionsTab,
  rollouts: RolloutsTab,
  requests: RequestsTab,
  versions: VersionsTab,
  schedules: SchedulesTab,
  try: TryTab,
  settings: SettingsTab,
}
const ofTab = ['page', 'cursor', 'q', 'group', 'type', 'condition', 'show', 'state', 'request', 'rollout'] as const
const nothing = Object.fromEntries(ofTab.map(name => [name, undefined]))

/** What apps of a project get, by which conditions, and how it was before. */
export default function RemoteConfigPage() {
  const { t } = useTranslation('grow/remote-config')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ofTab)
  const [{ kind, tab }, change] = usePageSearch(raw => ({
    kind: kinds.find(one => one === raw['kind']) ?? 'client',
    tab: Object.hasOwn(tabs, String(raw['tab'])) ? String(raw['tab']) : 'parameters',
  }))
  const choice = <KindChoice kind={kind} onKind={next => change({ kind: next, ...nothing } as never)} />
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')} beside={choice}>
      {projectId => (
        <Work where={{ projectId, kind }} tab={tab} onTab={next => change({ tab: next, ...nothing } as never)} />
      )}
    </ProjectPage>
  )
}

/** On a small screen it is a select that says its own label. */
function KindChoice({ kind, onKind }: { kind: Kind; onKind: (kind: string) => void }) {
  const { t } = useTranslation('grow/remote-config')
  const choice = (
    <SegmentedControl
      label={t('kind')}
      selectedId={kind}
      options={kinds.map(id => ({ id, text: t(`kinds.${id}`) }))}
      onChange={({ detail }) => onKind(detail.selectedId)}
    />
  )
  return useIsNarrow() ? choice : <FormField label={t('kind')}>{choice}</FormField>
}

function Work({ where, tab, onTab }: { where: Where; tab: string; onTab: (tab: string) => void }) {
  const { t } = useTranslation('grow/remote-config')
  const head = useCall(api.getHead, { query: where }, { keepBefore: true })
  if (head.error) return <ErrorState error={head.error} onRetry={() => void head.refetch()} />
  if (!head.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { data } = head
  return (
    <SpaceBetween size="m">
      <StatusBadge
        tone={data.version > 0 ? 'good' : 'off'}
        text={data.version > 0 ? t('inForce', { version: data.version }) : t('noneInForce')}
      />
      <DraftBanner where={where} head={data} />
      <Tabs
        activeTabId={tab}
        ariaLabel={t('title')}
        onChange={({ detail }) => onTab(detail.activeTabId)}
        tabs={Object.entries(tabs).map(([id, Content]) => ({
          id,
          label: t(`tabs.${id}`),
          content: id === tab ? <Content where={where} head={data} /> : null,
        }))}
      />
    </SpaceBetween>
  )
}
