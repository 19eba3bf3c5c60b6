import { type ZoneId, zoneOfSite } from './zones.ts'

/** Feature switches that the console itself looks at (specification, section 6). An operator may make others besides. */
export const switchNames = [
  'osSwitch1',
  'osSwitch2',
  'osSwitch3',
  'osSwitch4',
  'unrealNameSwitch',
  'chinaSideSwitch',
  'googleAnalyticsSwitch',
  'useAgcLoginSwitch',
  'h5UseAgcLoginSwitch',
  'storageSwitch',
] as const
export type SwitchName = (typeof switchNames)[number]

/** Those of the console's own sign-in: on whole pages, and on small and embedded ones. */
export const ownSignInSwitches = ['useAgcLoginSwitch', 'h5UseAgcLoginSwitch'] as const

/** Whether somebody besides staff can still sign in: on one kind of page by themselves, or at a provider. */
export function leavesAWayIn(isOn: (name: SwitchName) => boolean, hasProvider: boolean): boolean {
  return hasProvider || ownSignInSwitches.some(isOn)
}

/** Whether the newer calls of cloud storage are used: the site's switch is on, or no site is set (specification, section 7). */
export function usesNewerStorage(siteId: number | null, isOnIn: (zone: ZoneId) => boolean): boolean {
  return siteId === null || isOnIn(zoneOfSite(siteId))
}
