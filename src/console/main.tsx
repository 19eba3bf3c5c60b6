import 'virtual:loggia-brand.css'
import './theme/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  allPages,
  clueSource,
  consentSource,
  inboxSource,
  menuSource,
  recentDialog,
  reportSource,
  sessionPort,
  signing,
} from '../services/all.console.ts'
import { startAppearance } from './appearance.ts'
import { connectClues } from './clue-port.ts'
import { connectConsent } from './consent-port.ts'
import { beginAnewForOther, watchMode } from './document-mode.ts'
import { framePages } from './frame-pages.ts'
import { startTexts } from './i18n/start.ts'
import { connectInbox } from './inbox-port.ts'
import { connectMenu } from './menu-port.ts'
import { connectRecent } from './recent.ts'
import { connectSession } from './refresh.ts'
import { registerPages } from './registry.ts'
import { connectReports } from './reports/report-port.ts'
import { buildRouter } from './router.tsx'
import { connectSigning } from './signing-port.ts'
import { queryClient } from './use-call.ts'

const pages = [...framePages, ...allPages]
registerPages(pages)
connectSession(sessionPort)
connectRecent(recentDialog)
connectSigning(signing)
connectMenu(menuSource)
connectInbox(inboxSource)
connectReports(reportSource)
connectClues(clueSource)
connectConsent(consentSource)
startAppearance()
watchMode()
await startTexts()

const router = buildRouter(pages)
// A moment later: where the browser itself goes there, it is still on its way.
router.history.subscribe(() => setTimeout(beginAnewForOther))
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </StrictMode>,
)

/** What is reported comes after the page, and never stands in its way. */
const reportsAfterMs = 3_000
setTimeout(() => {
  import('./reports/start.ts').then(({ startReports }) => startReports(router)).catch(() => undefined)
}, reportsAfterMs)
