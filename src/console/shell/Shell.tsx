import './cloudscape.css.ts'
import './shell.css'
import AppLayoutToolbar from '@cloudscape-design/components/app-layout-toolbar'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { demoRefusal } from '../demo.ts'
import { menuPort } from '../menu-port.ts'
import { mode } from '../mode.ts'
import { PendingPage } from '../PendingPage.tsx'
import { palette } from '../palette/open-palette.ts'
import { usePaletteShortcut } from '../palette/use-shortcut.ts'
import { AskedDialogs } from './AskedDialogs.tsx'
import { PathCrumbs } from './PathCrumbs.tsx'
import { SideMenu } from './SideMenu.tsx'
import { splitPanel } from './split-panel.ts'
import { TextsProvider } from './TextsProvider.tsx'
import { TopBar } from './TopBar.tsx'
import { useMenuState } from './use-menu-state.ts'
import { useMenuUse } from './use-menu-use.ts'
import { useSessionWatch } from './use-session-watch.ts'

const DemoBar = lazy(() => import('./DemoBar.tsx'))
const DemoDialog = lazy(() => import('./DemoDialog.tsx'))
const Notices = lazy(() => import('./Notices.tsx'))
const Banners = lazy(async () => (await menuPort()).loadBanners())
const Palette = lazy(() => import('../palette/Palette.tsx'))
const SidePanel = lazy(() => import('./SidePanel.tsx'))

/** The frame around every page of a signed-in person. */
export default function Shell() {
  const { t } = useTranslation()
  const menuState = useMenuState()
  const isDemoRefused = useSyncExternalStore(demoRefusal.subscribe, demoRefusal.get)
  const panel = useSyncExternalStore(splitPanel.subscribe, splitPanel.get)
  const isPaletteOpen = useSyncExternalStore(palette.subscribe, palette.get)
  useSessionWatch()
  useMenuUse()
  usePaletteShortcut()

  return (
    <TextsProvider>
      <button type="button" className="lg-skip" onClick={() => document.getElementById('page')?.focus()}>
        {t('shell.skip')}
      </button>
      <TopBar />
      <AppLayoutToolbar
        headerSelector="#top-bar"
        toolsHide
        navigation={<SideMenu onFollow={menuState.follow} />}
        navigationOpen={menuState.isOpen}
        navigationWidth={260}
        onNavigationChange={({ detail }) => menuState.change(detail.open)}
        breadcrumbs={<PathCrumbs />}
        notifications={
          <Suspense>
            {mode.isDemoProject() && <DemoBar />}
            <Notices />
            <Banners />
          </Suspense>
        }
        stickyNotifications
        splitPanelOpen={panel !== null}
        onSplitPanelToggle={({ detail }) => !detail.open && splitPanel.set(null)}
        splitPanel={
          panel && (
            <Suspense>
              <SidePanel {...panel} />
            </Suspense>
          )
        }
        content={
          <div id="page" tabIndex={-1}>
            <Suspense fallback={<PendingPage />}>
              <Outlet />
            </Suspense>
          </div>
        }
      />
      <AskedDialogs />
      {isPaletteOpen && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
      {isDemoRefused && (
        <Suspense>
          <DemoDialog />
        </Suspense>
      )}
    </TextsProvider>
  )
}
