import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../address.ts'
import { maySee, useFace } from '../face.ts'
import type { Language } from '../language.ts'
import { useMenu } from '../menu-port.ts'
import type { PageSpec } from '../page-spec.ts'
import { allRegistered } from '../registry.ts'
import { currentTeamId } from '../session.ts'
import { queryClient } from '../use-call.ts'
import { fuzzyFind } from './fuzzy.ts'

export interface PaletteEntry {
  key: string
  name: string
  detail: string
  href: string
}

export interface PaletteGroup {
  key: string
  title: string
  entries: PaletteEntry[]
}

const typingPauseMs = 200
const pagesShown = 8

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What the services of these pages find of their own things; a service that fails is left out. */
function useThings(finders: readonly PageSpec[], text: string) {
  return useQuery(
    {
      queryKey: ['palette', currentTeamId(), text],
      enabled: text.trim().length >= 2 && finders.length > 0,
      staleTime: 10_000,
      queryFn: async ({ signal }) => {
        const found = await Promise.allSettled(
          finders.map(async page => ({ page, things: await (await page.find!()).default(text.trim(), signal) })),
        )
        return found.flatMap(one => (one.status === 'fulfilled' && one.value.things.length > 0 ? [one.value] : []))
      },
    },
    queryClient,
  )
}

/** Pages by permission, favourites and recent ones, and what services find on the server. */
export function useEntries(typed: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const { t, i18n } = useTranslation()
  const language = i18n.resolvedLanguage as Language
  const face = useFace()
  const { data: menu } = useMenu()
  const seen = allRegistered().filter(
    page =>
      page.face === face &&
      maySee(page) &&
      (face !== 'developer' || !menu || !page.menu || menu.open.includes(page.path)),
  )
  const settled = useSettled(typed)
  const things = useThings(
    seen.filter(page => page.find),
    settled,
  )

  const entry = (from: string, page: { path: string; title: PageSpec['title'] }, group: string): PaletteEntry => ({
    key: `${from} ${page.path}`,
    name: page.title[language],
    detail: group,
    href: hrefOf(page.path),
  })
  const whole = seen.filter(page => page.menu)
  const groupOf = (path: string) => {
    const page = whole.find(one => one.path === path)
    return page ? t(`groups.${page.group}`) : ''
  }
  const groups: PaletteGroup[] = []
  const isTyping = typed.trim() !== ''
  const kept = [
    ['favorites', menu?.favorites ?? []],
    ['recent', (menu?.recent ?? []).slice(0, 5)],
  ] as const
  const shownBefore = new Set<string>()
  if (!isTyping) {
    for (const [name, lines] of kept) {
      const entries = lines
        .filter(line => menu?.open.includes(line.path) && !shownBefore.has(line.path))
        .map(line => entry(name, line, groupOf(line.path)))
      for (const line of lines) shownBefore.add(line.path)
      if (entries.length > 0) groups.push({ key: name, title: t(`palette.${name}`), entries })
    }
  }
  const pages = fuzzyFind(typed, whole, page => [...Object.values(page.title), page.path])
    .filter(page => isTyping || !shownBefore.has(page.path))
    .slice(0, isTyping ? pagesShown : undefined)
    .map(page => entry('page', page, t(`groups.${page.group}`)))
  if (pages.length > 0) groups.push({ key: 'pages', title: t('palette.pages'), entries: pages })
  if (isTyping) {
    for (const found of things.data ?? []) {
      groups.push({
        key: found.page.path,
        title: found.page.title[language],
        entries: found.things.map(thing => ({ ...thing, key: `${found.page.path} ${thing.key}` })),
      })
    }
  }
  return { groups, isSearching: isTyping && (things.isFetching || settled !== typed) && typed.trim().length >= 2 }
}
