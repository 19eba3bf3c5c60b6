import { type ZoneId, zoneIds } from '../kernel/zones.ts'
import { projectZone, teamZone } from './session.ts'
import { stored } from './stored.ts'

let placedFor: string | undefined

/**
 * Places a page before its calls go out: `?zone=DE` in the address wins; without it, the pages of the app that is on
 * screen already stay where it was found, all others go to the team's zone.
 */
export function enterZoneOf(
  search: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, unknown>>,
): void {
  const asked = search['zone']
  const appId = typeof params['appId'] === 'string' ? params['appId'] : undefined
  if (zoneIds.includes(asked as ZoneId)) projectZone.set(asked as ZoneId)
  else if (appId === undefined || appId !== placedFor) projectZone.set(undefined)
  placedFor = appId
  const zone = projectZone.get()
  if (zone) stored.set('productRegion', zone)
  else stored.remove('productRegion')
  if (typeof params['projectId'] === 'string') stored.set('currentProductId', params['projectId'])
}

/** What a link to a page of an app carries, so that it also opens from a bookmark or a colleague's message. */
export function zoneOfLink(path: string): { zone?: ZoneId } {
  const zone = projectZone.get()
  return zone && zone !== teamZone() && path.includes('$appId') ? { zone } : {}
}
