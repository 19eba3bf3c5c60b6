import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation'
import { useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../address.ts'
import { chooseFace, facesOf, maySee, useFace } from '../face.ts'
import type { Language } from '../language.ts'
import { useMenu } from '../menu-port.ts'
import { type PageSpec, pageGroups } from '../page-spec.ts'
import { allRegistered } from '../registry.ts'

const ground = ({ group }: PageSpec) => group === 'ground'

/** The pages of this face by service category; a category without a page one may see is left out. */
export function SideMenu({ onFollow }: { onFollow: () => void }) {
  const { t, i18n } = useTranslation()
  const face = useFace()
  useFaceOfPage()
  const language = i18n.resolvedLanguage as Language
  const { data: menu } = useMenu()
  const isOpen = (page: PageSpec) => face !== 'developer' || !menu || menu.open.includes(page.path)
  const pages = allRegistered()
    .filter(page => page.menu && page.face === face && maySee(page) && isOpen(page))
    .toSorted((one, other) => one.menu!.order - other.menu!.order)
  const toLink = (page: PageSpec): SideNavigationProps.Link => ({
    type: 'link',
    text: page.title[language],
    href: hrefOf(page.path),
  })
  const favorites = (menu?.favorites ?? []).flatMap(line => pages.filter(page => page.path === line.path)).map(toLink)
  const sections = pageGroups
    .filter(group => group !== 'ground' && pages.some(page => page.group === group))
    .map(group => ({
      type: 'section' as const,
      text: t(`groups.${group}`),
      items: pages.filter(page => page.group === group).map(toLink),
    }))

  return (
    <SideNavigation
      activeHref={useActiveHref()}
      header={{ text: t(`shell.menu.${face}`), href: hrefOf('/') }}
      items={[
        { type: 'link', text: t('shell.home'), href: hrefOf('/') },
        ...(favorites.length > 0
          ? [{ type: 'section' as const, text: t('shell.favorites'), items: favorites }, { type: 'divider' as const }]
          : []),
        ...pages.filter(ground).map(toLink),
        ...(sections.length > 0 ? [{ type: 'divider' as const }] : []),
        ...sections,
      ]}
      onFollow={onFollow}
    />
  )
}

/** Who has several faces and follows an address to a page of another one sees that one's menu. */
function useFaceOfPage(): void {
  const page = useMatches().findLast(match => match.staticData.page)?.staticData.page
  const own = page && page.path !== '/' && !page.isPersonal ? page.face : undefined
  useEffect(() => {
    if (own && facesOf().includes(own)) chooseFace(own)
  }, [own])
}

/** The menu entry of the page on screen, or of the nearest page above it that has one. */
function useActiveHref(): string {
  let page = useMatches().findLast(match => match.staticData.page)?.staticData.page
  const all = allRegistered()
  while (page && !page.menu && page.crumbs) {
    const above: string = page.crumbs
    page = all.find(one => one.path === above)
  }
  return hrefOf(page?.path ?? '/')
}
