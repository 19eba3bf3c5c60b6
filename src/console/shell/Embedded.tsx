import './embedded.css'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { mode } from '../mode.ts'
import { PendingPage } from '../PendingPage.tsx'
import { AskedDialogs } from './AskedDialogs.tsx'
import { PlainNotices } from './PlainNotices.tsx'
import { useParentWindow } from './use-parent-window.ts'
import { useSessionWatch } from './use-session-watch.ts'

const DialogFrame = lazy(() => import('./DialogFrame.tsx'))

/** The embedded mode, `#/app/…`: the page alone for a small screen, in plain HTML so that a web view has it at once. */
export default function Embedded() {
  useSessionWatch()
  useParentWindow()
  return (
    <main id="page" tabIndex={-1} className="lg-embedded">
      <PlainNotices />
      <Suspense fallback={<PendingPage />}>
        <Outlet />
      </Suspense>
      {!mode.isOpenTest() && <AskedDialogs Frame={DialogFrame} />}
    </main>
  )
}
