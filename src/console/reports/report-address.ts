import { type ZoneId, zones } from '../../kernel/zones.ts'
import type { Language } from '../language.ts'

/** Where a zone takes reports; `origin` is null where that is this host. */
export interface ReportPlace {
  zone: ZoneId
  origin: string | null
}

/** Visitors have no team yet: the language of the page they came to stands for where they are. */
const zoneOfLanguage: Record<Language, ZoneId> = { zh: 'CN', en: 'SG', ru: 'RU' }

/** The zone that a page reports to: its project's, else its team's, else that of its language. */
export function zoneOfPage(page: {
  project: ZoneId | undefined
  team: ZoneId | undefined
  language: Language
}): ZoneId {
  return page.project ?? page.team ?? zoneOfLanguage[page.language]
}

/** The report address of a zone; China's where the zone takes none, else that of the first that does. Undefined where none does. */
export function reportAddressOf(places: readonly ReportPlace[], zone: ZoneId, path: string): string | undefined {
  const place = places.find(one => one.zone === zone) ?? places.find(one => one.zone === 'CN') ?? places[0]
  return place && `${place.origin ?? ''}/${zones[place.zone].slug}${path}`
}
