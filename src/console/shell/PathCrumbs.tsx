import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import { useMatches } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../address.ts'
import type { Language } from '../language.ts'
import type { PageSpec } from '../page-spec.ts'
import { crumbNames, pageTitle } from '../page-title.ts'
import { allRegistered } from '../registry.ts'

function wayTo(page: PageSpec | undefined): PageSpec[] {
  const all = allRegistered()
  const way: PageSpec[] = []
  for (let at = page; at && !way.includes(at); ) {
    way.unshift(at)
    const above: string | undefined = at.crumbs
    at = above === undefined ? undefined : all.find(one => one.path === above)
  }
  return way
}

/** The way to this page by `crumbs`; the last step carries the name of the thing on screen. */
export function PathCrumbs() {
  const { t, i18n } = useTranslation()
  const match = useMatches().findLast(one => one.staticData.page)
  const own = useSyncExternalStore(pageTitle.subscribe, pageTitle.get)
  const names = useSyncExternalStore(crumbNames.subscribe, crumbNames.get)
  const way = wayTo(match?.staticData.page).filter(page => page.path !== '/' && !page.path.startsWith('/home/'))
  const items = way.map((page, index) => ({
    text: (index === way.length - 1 && own) || names[page.path] || page.title[i18n.resolvedLanguage as Language],
    href: hrefOf(page.path, match?.params as Record<string, string>),
  }))
  return (
    <BreadcrumbGroup ariaLabel={t('shell.crumbs')} items={[{ text: t('shell.home'), href: hrefOf('/') }, ...items]} />
  )
}
