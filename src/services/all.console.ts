import type { ReadConsent } from '../console/consent-port.ts'
import type { PageSpec } from '../console/page-spec.ts'
import type { LoadRecentDialog } from '../console/recent.ts'
import type { SessionPort } from '../console/session.ts'
import type { LoadSigning } from '../console/signing-port.ts'
import { pages as appEvents } from './analyse/app-events/console/pages.tsx'
import { pages as collect } from './analyse/collect/console/pages.tsx'
import { pages as appAuth } from './build/app-auth/console/pages.tsx'
import { pages as cloudDb } from './build/cloud-db/console/pages.tsx'
import { pages as debug } from './build/debug/console/pages.tsx'
import { pages as functions } from './build/functions/console/pages.tsx'
import { pages as preload } from './build/preload/console/pages.tsx'
import { pages as rules } from './build/rules/console/pages.tsx'
import { pages as storage } from './build/storage/console/pages.tsx'
import { pages as appChecks } from './distribute/app-check/console/pages.tsx'
import { pages as apps } from './distribute/apps/console/pages.tsx'
import { pages as betaTest } from './distribute/beta-test/console/pages.tsx'
import { pages as comments } from './distribute/comments/console/pages.tsx'
import { pages as distributionView } from './distribute/distribution-view/console/pages.tsx'
import { pages as harmony } from './distribute/harmony/console/pages.tsx'
import { pages as lifecycle } from './distribute/lifecycle/console/pages.tsx'
import { pages as material } from './distribute/material/console/pages.tsx'
import { pages as packages } from './distribute/packages/console/pages.tsx'
import { pages as qualification } from './distribute/qualification/console/pages.tsx'
import { pages as recordal } from './distribute/recordal/console/pages.tsx'
import { pages as review } from './distribute/review/console/pages.tsx'
import { pages as series } from './distribute/series/console/pages.tsx'
import { pages as appSigning } from './distribute/signing/console/pages.tsx'
import { pages as store } from './distribute/store/console/pages.tsx'
import { pages as versions } from './distribute/versions/console/pages.tsx'
import { pages as clues } from './earn/clues/console/pages.tsx'
import { pages as agreements } from './ground/agreements/console/pages.tsx'
import { pages as apiClients } from './ground/api-clients/console/pages.tsx'
import { pages as developerSupport } from './ground/developer-support/console/pages.tsx'
import { pages as files } from './ground/files/console/pages.tsx'
import { pages as gateway } from './ground/generic-gateway/console/pages.tsx'
import { pages as menu } from './ground/menu/console/pages.tsx'
import { pages as notices } from './ground/notices/console/pages.tsx'
import { pages as orchestration } from './ground/orchestration/console/pages.tsx'
import { pages as projects } from './ground/projects/console/pages.tsx'
import { pages as reference } from './ground/reference/console/pages.tsx'
import { pages as session } from './ground/session/console/pages.tsx'
import { pages as teams } from './ground/teams/console/pages.tsx'
import { sessionPort as teamsSessionPort } from './ground/teams/console/session-port.ts'
import { pages as webhooks } from './ground/webhooks/console/pages.tsx'
import { pages as experiments } from './grow/experiments/console/pages.tsx'
import { pages as remoteConfig } from './grow/remote-config/console/pages.tsx'
import { pages as targeting } from './grow/targeting/console/pages.tsx'

/** One line per service: its pages, which hold only metadata and lazy imports. */
export const allPages: PageSpec[] = [
  ...session,
  ...teams,
  ...projects,
  ...files,
  ...apps,
  ...packages,
  ...versions,
  ...betaTest,
  ...review,
  ...appSigning,
  ...distributionView,
  ...appChecks,
  ...lifecycle,
  ...material,
  ...qualification,
  ...recordal,
  ...harmony,
  ...comments,
  ...series,
  ...store,
  ...menu,
  ...reference,
  ...gateway,
  ...orchestration,
  ...notices,
  ...webhooks,
  ...collect,
  ...appAuth,
  ...cloudDb,
  ...debug,
  ...functions,
  ...preload,
  ...rules,
  ...storage,
  ...clues,
  ...agreements,
  ...apiClients,
  ...developerSupport,
  ...remoteConfig,
  ...targeting,
  ...appEvents,
  ...experiments,
]

/** Who signs people in, refreshes and signs them out. */
export const sessionPort: SessionPort = teamsSessionPort

/** Who knows the menu, favourites, banners and switches; it comes after the first page. */
export const menuSource = {
  service: 'ground/menu',
  load: () => import('./ground/menu/console/menu-port.ts'),
  loadConfiguration: () => import('./ground/menu/console/read-configuration.ts'),
}

/** Who counts unread notices for the bell. */
export const inboxSource = {
  service: 'ground/notices',
  path: '/notices',
  load: () => import('./ground/notices/console/inbox-port.ts'),
}

/** Who takes what pages report of their use, and what people look at. */
export const reportSource = () => import('./analyse/collect/console/report-port.ts')
export const clueSource = () => import('./earn/clues/console/clue-port.ts')

/** Who knows what people agreed to. */
export const consentSource: ReadConsent = async (purpose, how) =>
  (await import('./ground/agreements/console/read-consent.ts')).readConsent(purpose, how)

/** Asks the person for a fresh proof of who they are. */
export const recentDialog: LoadRecentDialog = () => import('./ground/session/console/RecentDialog.tsx')

/** Asks the person for the signatures that are wanted. */
export const signing: LoadSigning = () => import('./ground/agreements/console/SigningGate.tsx')
