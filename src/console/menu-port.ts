import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { SwitchName } from '../kernel/switches.ts'
import type { ZoneId } from '../kernel/zones.ts'
import type { LocalText } from './language.ts'
import { useSession } from './session.ts'
import { queryClient } from './use-call.ts'

/** A page people keep at hand. */
export interface MenuLine {
  path: string
  title: LocalText
}

/** What the menu's service says for the team of this tab. */
export interface MenuNow {
  /** Pages of the developer's menu that permission, region and switches leave open. */
  open: readonly string[]
  favorites: readonly MenuLine[]
  recent: readonly MenuLine[]
}

/** What the frame shows of the menu's service, which it does not know. */
export interface MenuPort {
  read: () => Promise<MenuNow>
  recordUse: (path: string) => Promise<unknown>
  loadBanners: () => Promise<{ default: ComponentType }>
  loadHomePanels: () => Promise<{ default: ComponentType }>
}

/** What the operator's switches are for the team of this tab, or for a visitor. Pages show by it and trust it for nothing. */
export interface PageConfiguration {
  switches: Readonly<Record<SwitchName, boolean>>
  /** Whether the newer calls of cloud storage are used, by site; null is no site. */
  storage: readonly { siteId: number | null; isNewer: boolean }[]
  analyticsScript: string | null
}

interface MenuSource {
  /** The service's folder: its query keys begin with it, so what a page of it changes is read anew here too. */
  service: string
  load: () => Promise<{ menuPort: MenuPort }>
  /** Apart from the rest, for the sign-in page has it too. */
  loadConfiguration: () => Promise<{ readConfiguration: ReadConfiguration }>
}

/** Reads the operator's switches for the team of this tab, or for a visitor. */
export type ReadConfiguration = (asker: { isOfTeam: boolean; zone: ZoneId | undefined }) => Promise<PageConfiguration>

let source: MenuSource | undefined

/** Takes over the service that knows the menu, once, from `main`. */
export function connectMenu(given: MenuSource): void {
  source = given
}

export function menuSource(): MenuSource {
  if (!source) throw new Error('no service gives the menu')
  return source
}

export async function menuPort(): Promise<MenuPort> {
  return (await menuSource().load()).menuPort
}

/** The menu of the team; undefined until it is known, and then pages are shown by permission alone. */
export function useMenu(): UseQueryResult<MenuNow> {
  const session = useSession()
  const teamId = session.status === 'in' ? session.teamId : null
  return useQuery<MenuNow>(
    {
      queryKey: [source?.service, 'the frame’s menu', teamId],
      queryFn: async () => (await menuPort()).read(),
      enabled: teamId !== null,
      staleTime: 60_000,
    },
    queryClient,
  )
}
