import { createBrowserHistory, parseHref } from '@tanstack/history'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import i18next from 'i18next'
import { ensureSession } from './ensure-session.ts'
import { FailedPage } from './FailedPage.tsx'
import { mode } from './mode.ts'
import { PageGate } from './PageGate.tsx'
import { PendingPage } from './PendingPage.tsx'
import type { PageSpec } from './page-spec.ts'
import { enterZoneOf } from './page-zone.ts'
import { RootPage } from './RootPage.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PageSpec
  }
}

const isBare = (page: PageSpec) => page.face === 'visitor' || page.path.startsWith('/app/')

/** Search values stay plain text in the address; each page's own parser gives them their types. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text))
function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/**
 * The route is the hash alone. The library's own hash history appends the query before the hash to it, which in the
 * embedded mode carries the app (`?appId=...#/app/`) and would become part of the last search value.
 */
function hashHistory() {
  return createBrowserHistory({
    parseLocation: () => parseHref(location.hash.slice(1 + mode.basePath().length) || '/', history.state),
    createHref: href => `${location.pathname}${location.search}#${mode.basePath()}${href}`,
  })
}

/** One tree from all registered pages: visitors' and embedded ones bare, the rest inside the shell behind a session. */
export function buildRouter(pages: readonly PageSpec[]) {
  const root = createRootRoute({ component: RootPage, notFoundComponent: lazyRouteComponent(loadNotFound) })
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    beforeLoad: ensureSession,
    component: lazyRouteComponent(() => import('./shell/Shell.tsx')),
  })
  const embedded = createRoute({
    getParentRoute: () => root,
    id: 'embedded',
    beforeLoad: () => (mode.isOpenTest() ? undefined : ensureSession()),
    component: lazyRouteComponent(() => import('./shell/Embedded.tsx')),
  })
  const bare = createRoute({ getParentRoute: () => root, id: 'bare', component: Outlet })
  const parentOf = (page: PageSpec) => (page.path.startsWith('/app/') ? embedded : isBare(page) ? bare : shell)
  const routesOf = (parent: typeof shell | typeof embedded | typeof bare) =>
    pages.filter(page => parentOf(page) === parent).map(page => pageRoute(parent, page))
  return createRouter({
    routeTree: root.addChildren([
      shell.addChildren(routesOf(shell)),
      embedded.addChildren(routesOf(embedded)),
      bare.addChildren(routesOf(bare)),
    ]),
    history: hashHistory(),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
  })
}

const loadNotFound = () => import('./NotFoundPage.tsx')

function pageRoute(parent: unknown, page: PageSpec) {
  const Page = lazyRouteComponent(page.load)
  return createRoute({
    getParentRoute: () => parent as AnyRoute,
    path: page.path,
    staticData: { page },
    beforeLoad: ({ search, params, cause }) => {
      if (cause !== 'preload') enterZoneOf(search, params as Record<string, unknown>)
    },
    loader: () =>
      Promise.all([i18next.loadNamespaces([page.service, ...(page.texts ?? [])]), page.load()]).then(() => null),
    component: () => <PageGate page={page} Page={Page} />,
  })
}
