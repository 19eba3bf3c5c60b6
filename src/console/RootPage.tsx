import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from './language.ts'
import { PendingPage } from './PendingPage.tsx'
import { pageTitle } from './page-title.ts'

/** The document's title, the announcement of a new page and the focus on it: once, for every page. */
export function RootPage() {
  const { i18n } = useTranslation()
  const { pathname } = useLocation()
  const page = useMatches().findLast(match => match.staticData.page)?.staticData.page
  const own = useSyncExternalStore(pageTitle.subscribe, pageTitle.get)
  const title = own ?? page?.title[i18n.resolvedLanguage as Language]
  const [isAnnounced, setAnnounced] = useState(false)
  const before = useRef(pathname)

  useEffect(() => {
    document.title = title ? `${title} – Loggia` : 'Loggia'
  }, [title])

  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    setAnnounced(true)
    document.getElementById('page')?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <>
      <Suspense fallback={<PendingPage />}>
        <Outlet />
      </Suspense>
      <div className="lg-unseen" aria-live="polite">
        {isAnnounced && title}
      </div>
    </>
  )
}
