import type { ComponentType } from 'react'
import type { LocalText } from './language.ts'

/** The side menu's groups, in the order of the specification's service categories. */
export const pageGroups = [
  'ground',
  'distribute',
  'build',
  'lowcode',
  'grow',
  'analyse',
  'earn',
  'operate',
  'support',
] as const
export type PageGroup = (typeof pageGroups)[number]

/** Who a page is for: `developer` and `provider` act for a team, `reviewer` is staff, `visitor` needs no session. */
export type Face = 'developer' | 'reviewer' | 'provider' | 'visitor'

/** Turns what stands in the address into typed search values; anything unknown becomes its default. */
export type SearchParser<T extends object> = (raw: Record<string, unknown>) => T

/** One of a service's things, for the command palette. */
export interface FoundThing {
  key: string
  name: string
  /** A second line: a package name, a zone. */
  detail: string
  href: string
}

/** Asks the server for a service's things by what was typed: a few, the best first. */
export type FindThings = (text: string, signal: AbortSignal) => Promise<FoundThing[]>

export interface PageSpec {
  /** Below the hash, parameters with `$`: `/apps/$appId`. Unique over all services. */
  path: string
  title: LocalText
  group: PageGroup
  face: Face
  /** Shown in the side menu at this place; pages with parameters have none. */
  menu?: { order: number }
  /** Belongs to the person, not to a team: everybody signed in sees it, in the menu of their name. */
  isPersonal?: true
  /** The permission to see it; without it the no-permission page stands in its place. */
  may?: string
  load: () => Promise<{ default: ComponentType }>
  /** Texts of parts of the kit that it shows, besides its service's own: `kit/conditions`. */
  texts?: readonly string[]
  /** On the page of a list: how the command palette finds one of its things; shown under the page's title. */
  find?: () => Promise<{ default: FindThings }>
  /** The path of the page above, for breadcrumbs; left out, home. */
  crumbs?: string
  search?: SearchParser<object>
  /** The service's folder; `pagesOf` fills it and its translations load with the page. */
  service: string
}

/**
 * What a service's `console/pages.tsx` exports: `export const pages = pagesOf('distribute/apps', [{ path, title, ... }])`.
 * Only metadata and lazy imports may stand in that file: it is in the first bundle of everybody.
 */
export function pagesOf(service: string, pages: readonly Omit<PageSpec, 'service'>[]): PageSpec[] {
  return pages.map(page => ({ ...page, service }))
}

/** Of an address's search values those that a page knows, where they are texts. */
export const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))
