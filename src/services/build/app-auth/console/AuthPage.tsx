import './auth.css'
import Tabs from '@cloudscape-design/components/tabs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { projectsApi } from './auth-calls.ts'
import { HooksTab } from './HooksTab.tsx'
import { MethodsTab } from './methods/MethodsTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { SmsTab } from './SmsTab.tsx'
import { TemplatesTab } from './TemplatesTab.tsx'
import { UsersTab } from './users/UsersTab.tsx'

const tabs: Readonly<Record<string, { may: string; content: ComponentType<{ projectId: string }> }>> = {
  overview: { may: 'appAuth.read', content: OverviewTab },
  users: { may: 'appAuth.users', content: UsersTab },
  methods: { may: 'appAuth.read', content: MethodsTab },
  templates: { may: 'appAuth.read', content: TemplatesTab },
  sms: { may: 'appAuth.read', content: SmsTab },
  hooks: { may: 'appAuth.read', content: HooksTab },
  settings: { may: 'appAuth.read', content: SettingsTab },
}

/** How the users of a project's apps sign in, and who they are. */
export default function AuthPage() {
  const { t } = useTranslation('build/app-auth')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['cursor', 'page', 'q'])
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: Object.hasOwn(tabs, String(raw['tab'])) ? String(raw['tab']) : 'overview',
  }))
  const Content = tabs[tab]?.content ?? OverviewTab
  const open = Object.keys(tabs).filter(id => may(tabs[id]?.may ?? ''))
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => (
        <Tabs
          activeTabId={tab}
          ariaLabel={t('title')}
          onChange={({ detail }) =>
            change({
              tab: detail.activeTabId,
              ...({
                q: undefined,
                page: undefined,
                cursor: undefined,
                provider: undefined,
                state: undefined,
              } as object),
            })
          }
          tabs={open.map(id => ({
            id,
            label: t(`tabs.${id}`),
            content: id === tab ? <Content projectId={projectId} /> : null,
          }))}
        />
      )}
    </ProjectPage>
  )
}
