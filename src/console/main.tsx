import 'virtual:loggia-brand.css'
import './theme/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { allPages, inboxSource, menuSource, recentDialog, sessionPort } from '../services/all.console.ts'
import { startAppearance } from './appearance.ts'
import { watchDemo } from './demo.ts'
import { framePages } from './frame-pages.ts'
import { startTexts } from './i18n/start.ts'
import { connectInbox } from './inbox-port.ts'
import { connectMenu } from './menu-port.ts'
import { connectRecent } from './recent.ts'
import { connectSession } from './refresh.ts'
import { registerPages } from './registry.ts'
import { buildRouter } from './router.tsx'
import { queryClient } from './use-call.ts'

const pages = [...framePages, ...allPages]
registerPages(pages)
connectSession(sessionPort)
connectRecent(recentDialog)
connectMenu(menuSource)
connectInbox(inboxSource)
startAppearance()
watchDemo()
await startTexts()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={buildRouter(pages) as never} />
    </QueryClientProvider>
  </StrictMode>,
)
