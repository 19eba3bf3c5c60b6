/**
 * A zone is a place where data stays. Site ids come from the specification, section 1: China 1, Singapore 5, Europe 7,
 * Russia 8, Iran 3; any other site id falls back to China.
 */
export const zones = {
  CN: { siteId: 1, slug: 'cn' },
  SG: { siteId: 5, slug: 'sg' },
  DE: { siteId: 7, slug: 'de' },
  RU: { siteId: 8, slug: 'ru' },
  IR: { siteId: 3, slug: 'ir' },
} as const

export type ZoneId = keyof typeof zones
export const zoneIds = Object.keys(zones) as ZoneId[]

/** Zones a person can choose; the specification shows CN, SG, DE and RU only. */
export const shownZoneIds: readonly ZoneId[] = ['CN', 'SG', 'DE', 'RU']

/** Whether a value names a zone. */
export function isZoneId(value: unknown): value is ZoneId {
  return typeof value === 'string' && Object.hasOwn(zones, value)
}

const bySite = new Map<number, ZoneId>(zoneIds.map(id => [zones[id].siteId, id]))
const bySlug = new Map<string, ZoneId>(zoneIds.map(id => [zones[id].slug, id]))

/** The zone of a site id; unknown ones are China. */
export function zoneOfSite(siteId: number): ZoneId {
  return bySite.get(siteId) ?? 'CN'
}

/** The site id of a zone. */
export function siteOfZone(zone: ZoneId): number {
  return zones[zone].siteId
}

/** The zone a path starts with (`/de/...`), or undefined. */
export function zoneOfSlug(slug: string): ZoneId | undefined {
  return bySlug.get(slug)
}

/** Region codes as stored: EU is the same zone as DE. Throws the specification's words when there is none. */
export function zoneOfCode(code: string | undefined): ZoneId {
  if (code === 'EU') return 'DE'
  if (code !== undefined && Object.hasOwn(zones, code)) return code as ZoneId
  throw new Error('the zone Id is invalid')
}
