import './harmony.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { saveFile } from '../../../../console/save-file.ts'
import { CertsTab } from './certs/CertsTab.tsx'
import { DevicesTab } from './devices/DevicesTab.tsx'
import { beginning, certsApi } from './harmony-calls.ts'
import { ProfilesTab } from './profiles/ProfilesTab.tsx'
import { WayPicture } from './WayPicture.tsx'

const tabs = { profiles: ProfilesTab, certificates: CertsTab, devices: DevicesTab } as const
type Tab = keyof typeof tabs

/** What a HarmonyOS app is signed with: certificates, the devices it is tried on, and the profiles that hold both together. */
export default function HarmonyPage() {
  const { t } = useTranslation('distribute/harmony')
  const [{ tab }, change] = usePageSearch(raw => ({
    tab: (Object.hasOwn(tabs, String(raw['tab'])) ? raw['tab'] : 'profiles') as Tab,
  }))
  const go = (next: string) => change({ tab: next, ...beginning } as { tab: Tab })
  const Content = tabs[tab]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={t('text')}
        actions={
          <Button
            iconName="download"
            data-action="downloadRoot"
            onClick={() => void saveFile(certsApi.downloadRoot.raw({}), 'root.pem')}
          >
            {t('root')}
          </Button>
        }
      />
      <WayPicture onGo={go} />
      <Tabs
        activeTabId={tab}
        ariaLabel={t('title')}
        onChange={({ detail }) => go(detail.activeTabId)}
        tabs={(Object.keys(tabs) as Tab[]).map(id => ({
          id,
          label: t(`tabs.${id}`),
          content: id === tab ? <Content /> : null,
        }))}
      />
    </SpaceBetween>
  )
}
