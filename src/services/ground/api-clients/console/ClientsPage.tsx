import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { may } from '../../../../console/session.ts'
import { ClientTable } from './ClientTable.tsx'
import { DebugTab } from './DebugTab.tsx'
import { GrantsTab } from './GrantsTab.tsx'
import { ProjectKeysTab } from './ProjectKeysTab.tsx'

const tabs = {
  team: { may: 'apiClients.read', content: () => <ClientTable whose="team" /> },
  own: { may: 'apiClients.own', content: () => <ClientTable whose="own" /> },
  debug: { may: 'apiClients.own', content: () => <DebugTab /> },
  grants: { may: 'apiClients.read', content: () => <GrantsTab /> },
  projectKeys: { may: 'projects.secrets', content: () => <ProjectKeysTab /> },
} as const
type TabId = keyof typeof tabs

/** Every credential with which programs come in the team's name. */
export default function ClientsPage() {
  const { t } = useTranslation('ground/api-clients')
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (String(raw['tab']) in tabs ? raw['tab'] : 'team') as TabId,
  }))
  const open = (Object.keys(tabs) as TabId[]).filter(id => may(tabs[id].may))
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('page.title')} description={t('page.text')} />
      <Tabs
        activeTabId={tab}
        ariaLabel={t('page.title')}
        onChange={({ detail }) =>
          change({
            tab: detail.activeTabId as TabId,
            ...({ q: undefined, page: undefined, cursor: undefined } as object),
          })
        }
        tabs={open.map(id => ({ id, label: t(`tabs.${id}`), content: id === tab ? tabs[id].content() : null }))}
      />
    </SpaceBetween>
  )
}
