import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type Kind, kinds } from '../rules.ts'
import { PolicyBox } from './PolicyBox.tsx'
import { PolicyDialog } from './PolicyDialog.tsx'
import { api, appsApi, type PolicyView, projectsApi } from './preload-calls.ts'

/** What devices get of an app before it is opened: one policy for each time. */
export default function PreloadPage() {
  const { t } = useTranslation('build/preload')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['appId'])
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/preload')
  const [search, setSearch] = usePageSearch(raw => ({ appId: String(raw['appId'] ?? '') }))
  const found = useCall(appsApi.listApps, { query: { projectId, pageSize: 100 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const options = found.data.list.map(one => ({
    value: one.appId,
    label: one.name,
    description: one.packageName ?? '',
  }))
  const chosen = options.find(one => one.value === search.appId) ?? options[0]
  if (!chosen) return <EmptyState title={t('noApp')} text={t('noAppText')} level="h2" />
  return (
    <SpaceBetween size="l">
      <FormField label={t('app')}>
        <Select
          ariaLabel={t('app')}
          selectedOption={chosen}
          options={options}
          filteringType="auto"
          onChange={({ detail }) => setSearch({ appId: detail.selectedOption.value })}
        />
      </FormField>
      <Policies key={chosen.value} projectId={projectId} appId={chosen.value} />
    </SpaceBetween>
  )
}

type Open = { what: 'edit'; kind: Kind; policy: PolicyView | null } | { what: 'delete'; policy: PolicyView }

function Policies({ projectId, appId }: { projectId: string; appId: string }) {
  const { t } = useTranslation('build/preload')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const found = useCall(api.listPolicies, { query: { appId } })
  const remove = useAction(api.deletePolicy, { onDone: close })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { list, maySendToServer } = found.data
  return (
    <SpaceBetween size="l">
      {kinds.map(kind => {
        const policy = list.find(one => one.kind === kind) ?? null
        return (
          <PolicyBox
            key={kind}
            kind={kind}
            policy={policy}
            onEdit={() => setOpen({ what: 'edit', kind, policy })}
            onDelete={() => policy && setOpen({ what: 'delete', policy })}
          />
        )
      })}
      {open?.what === 'edit' && <PolicyDialog {...open} {...{ projectId, appId, maySendToServer }} onClose={close} />}
      {open?.what === 'delete' && (
        <ConfirmByName
          title={t('deleteTitle')}
          name={t(`kinds.${open.policy.kind}`)}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ query: { policyId: open.policy.policyId } })}
          onCancel={close}
        >
          {t('deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
