import './qualification.css'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { useAppOnScreen } from '../../../../console/app-on-screen.ts'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useCrumbName } from '../../../../console/page-title.ts'
import { useCall } from '../../../../console/use-call.ts'
import { PapersDialog } from './PapersDialog.tsx'
import { api, appCalls, meta, type TagView, type TaskView } from './qualification-calls.ts'
import { TagPanel } from './TagPanel.tsx'

/** What the categories of an app need where, what was handed in, and what became of it. */
export default function QualificationsPage() {
  const { t } = useTranslation('distribute/qualification')
  const appId = usePageParam('appId')
  const app = useCall(appCalls.getApp, { query: { appId } })
  const tags = useCall(meta.listTagQuals, { query: { appId } })
  const defs = useCall(meta.listQualDefs, { query: {} })
  const tasks = useCall(api.listTasks, { query: { appId, pageSize: 100 } })
  const [open, setOpen] = useState<{ tag: TagView; task: TaskView | null } | null>(null)
  useCrumbName('/apps/$appId', app.data?.name)
  useAppOnScreen(app.data)

  const failed = [app, tags, defs, tasks].find(one => one.error)
  if (failed?.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!app.data || !tags.data || !defs.data || !tasks.data) {
    return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  }
  const needing = tags.data.list.filter(tag => tag.requirements.length > 0)
  const before = tasks.data.list.filter(task => !needing.some(tag => tag.tagId === task.tagId))
  const papers = defs.data.list
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={
          <>
            <span translate="no">{app.data.name}</span>
            <div>{t('text')}</div>
          </>
        }
      />
      {needing.length === 0 && before.length === 0 && (
        <EmptyState
          level="h2"
          title={t('none.title')}
          text={t(tags.data.list.length === 0 ? 'none.noCategory' : 'none.text')}
        />
      )}
      {needing.map(tag => (
        <TagPanel
          key={tag.tagId}
          tag={tag}
          tasks={tasks.data.list.filter(task => task.tagId === tag.tagId)}
          defs={papers}
          onOpen={task => setOpen({ tag, task })}
        />
      ))}
      {[...new Set(before.map(task => task.tagId))].map(tagId => {
        const own = before.filter(task => task.tagId === tagId)
        const tag: TagView = { tagId, tagName: own[0]!.tagName, isMainTag: null, requirements: [] }
        return <TagPanel key={tagId} tag={tag} tasks={own} defs={papers} onOpen={task => setOpen({ tag, task })} />
      })}
      {open && (
        <PapersDialog appId={appId} tag={open.tag} task={open.task} defs={papers} onClose={() => setOpen(null)} />
      )}
    </SpaceBetween>
  )
}
