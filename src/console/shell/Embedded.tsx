import './cloudscape.css.ts'
import './shell.css'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PendingPage } from '../PendingPage.tsx'
import { TextsProvider } from './TextsProvider.tsx'

const Notices = lazy(() => import('./Notices.tsx'))

/** The embedded mode, `#/app/…`: the page alone, for a web view 390 pixels wide. */
export default function Embedded() {
  return (
    <TextsProvider>
      <Suspense>
        <Notices />
      </Suspense>
      <main id="page" tabIndex={-1} className="lg-embedded">
        <Suspense fallback={<PendingPage />}>
          <Outlet />
        </Suspense>
      </main>
    </TextsProvider>
  )
}
