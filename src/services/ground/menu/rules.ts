import { lifeCycle } from '../../../kernel/life-cycle.ts'
import { orderKeyBetween } from '../../../kernel/order-key.ts'
import { ownSignInSwitches, type SwitchName, switchNames } from '../../../kernel/switches.ts'
import { isWithin, unitOf, variantAt } from '../../../kernel/targeting/bucket.ts'
import type { ZoneId } from '../../../kernel/zones.ts'

export const limits = {
  favorites: 50,
  recent: 20,
  configKeys: 100,
  groupsAtOnce: 50,
  groupsOfSwitch: 20,
  teamsAtOnce: 500,
  tagSets: 100,
  tags: 100,
  titleLength: 100,
  textLength: 4000,
  billboardAtOnce: 5,
  weight: 1000,
} as const

/** The groups of the console by the service categories of the specification, section 3: its number and the key of its label. */
export const categories = {
  ground: { id: 7, labelKey: 'agc.home.tools' },
  distribute: { id: 8, labelKey: 'agc.home.distribute' },
  build: { id: 1, labelKey: 'agc.home.build' },
  lowcode: { id: 6, labelKey: 'agc.home.cloudApp' },
  grow: { id: 3, labelKey: 'agc.home.increase' },
  analyse: { id: 5, labelKey: 'agc.home.analysis' },
  earn: { id: 4, labelKey: 'agc.home.gain' },
  operate: { id: 2, labelKey: 'agc.home.quality' },
  support: { id: 9, labelKey: 'agc.home.capability' },
} as const
export type Category = keyof typeof categories
export const categoryNames = Object.keys(categories) as Category[]

/** Where a link of an announcement or a slot may go: a page of this console, or the web. */
export const linkPattern = '^(#/|https?://)[^\\s<>"]*$'

export const tagColours = ['grey', 'blue', 'green', 'red', 'amber'] as const
/** Colours of a slot on the billboard. */
export const slotTones = ['blue', 'green', 'amber', 'grey'] as const

export const announcementStates = ['draft', 'scheduled', 'live', 'ended'] as const
export type AnnouncementState = (typeof announcementStates)[number]
export const announcementKinds = ['news', 'warning', 'maintenance'] as const
export const announcementActions = ['schedule', 'publish', 'withdraw', 'end', 'delete'] as const

/** An announcement from the first word to the archive; `start` and `expire` are the clock's. */
export const announcementCycle = lifeCycle({
  entity: 'announcement',
  states: announcementStates,
  moves: [
    {
      from: ['draft'],
      action: 'schedule',
      to: 'scheduled',
      may: 'menu.announce',
      needs: ['startsLater', 'endsAfterStart'],
      event: 'announcement.scheduled',
    },
    {
      from: ['draft', 'scheduled'],
      action: 'publish',
      to: 'live',
      may: 'menu.announce',
      needs: ['endsLater'],
      event: 'announcement.live',
    },
    { from: ['scheduled'], action: 'withdraw', to: 'draft', may: 'menu.announce', event: 'announcement.withdrawn' },
    { from: ['scheduled'], action: 'start', to: 'live', may: 'system', event: 'announcement.live' },
    { from: ['live'], action: 'end', to: 'ended', may: 'menu.announce', event: 'announcement.ended' },
    { from: ['live'], action: 'expire', to: 'ended', may: 'system', event: 'announcement.ended' },
    { from: ['draft', 'ended'], action: 'delete', to: null, may: 'menu.announce', event: 'announcement.deleted' },
  ],
})

/** What an announcement's times say of it now. */
export function announcementFacts(row: { startAt: number | null; endAt: number | null }, now: number) {
  return {
    startsLater: row.startAt !== null && row.startAt > now,
    endsLater: row.endAt === null || row.endAt > now,
    endsAfterStart: row.endAt === null || row.startAt === null || row.endAt > row.startAt,
  }
}

/** Whether the words of an announcement may still be changed; those of an ended one are the archive. */
export function isEditable(state: AnnouncementState): boolean {
  return state !== 'ended'
}

export const supportStates = ['waiting', 'accepted', 'declined'] as const
export const supportActions = ['accept', 'decline'] as const
export const supportCycle = lifeCycle({
  entity: 'support application',
  states: supportStates,
  moves: [
    { from: ['waiting'], action: 'accept', to: 'accepted', may: 'menu.operate', event: 'support.accepted' },
    { from: ['waiting'], action: 'decline', to: 'declined', may: 'menu.operate', event: 'support.declined' },
  ],
})

export interface OrderedRow {
  serviceId: string
  orderKey: string
}

/**
 * The key that puts one row of an ordered list behind another, or first with `null`; the others keep theirs. Null when
 * it stands there already. Throws when either is not in the list.
 */
export function orderKeyAfter(rows: readonly OrderedRow[], moved: string, after: string | null): string | null {
  const from = rows.findIndex(row => row.serviceId === moved)
  const others = rows.filter(row => row.serviceId !== moved)
  const place = after === null ? 0 : others.findIndex(row => row.serviceId === after) + 1
  if (from < 0 || (after !== null && place === 0)) throw new Error('not in the list')
  if (place === from) return null
  return orderKeyBetween(others[place - 1]?.orderKey ?? null, others[place]?.orderKey ?? null)
}

/** Slots stay for this long before others come up. */
export const billboardTurnMs = 10 * 60_000

/** Which slots somebody sees in this turn: as many as asked, drawn by weight, none twice, the same until it is over. */
export function slotsOfTurn<Slot extends { weight: number }>(
  slots: readonly Slot[],
  viewer: { place: string; unit: string; now: number; count: number },
): Slot[] {
  const turn = Math.floor(viewer.now / billboardTurnMs)
  const left = [...slots]
  const chosen: Slot[] = []
  while (chosen.length < viewer.count && left.length > 0) {
    const unit = `${viewer.unit} ${turn} ${chosen.length}`
    const found = variantAt(
      'variant',
      viewer.place,
      unit,
      left.map(slot => slot.weight),
    )
    if (found < 0) break
    chosen.push(...left.splice(found, 1))
  }
  return chosen
}

/** Where a tag stands whose name an earlier one of the set has, in whatever width or case; -1 where none does. */
export function repeatedTag(tags: readonly { name: string }[]): number {
  const names = tags.map(tag => tag.name.normalize('NFKC').trim().toLowerCase())
  return names.findIndex((name, at) => names.indexOf(name) < at)
}

/** Says where groups and configuration are asked for, so no group can decide it. */
export const overseasFeature = 'overseasSwitch'

export interface SwitchSetting {
  isOn: boolean
  percent: number
  /** Where it holds; empty is everywhere. */
  zones: readonly ZoneId[]
  /** Teams of these get it whatever the percentage. */
  groups: readonly string[]
}

/** Why a team gets a feature (`group`, `percent`) or does not; `drawn`: a switch without a seed has drawn nobody yet. */
export type SwitchReason = 'off' | 'zone' | 'group' | 'percent' | 'outside' | 'drawn'

/** For whom a switch is asked; a visitor has no team and gets what every team gets. */
export interface AskedFor {
  teamId: string | null
  zone: ZoneId
  groups: readonly string[]
}

export function switchReason(setting: SwitchSetting, seed: string | null, team: AskedFor): SwitchReason {
  if (!setting.isOn) return 'off'
  if (setting.zones.length > 0 && !setting.zones.includes(team.zone)) return 'zone'
  if (setting.groups.some(code => team.groups.includes(code))) return 'group'
  if (team.teamId === null) return setting.percent === 100 ? 'percent' : 'outside'
  if (seed === null && setting.percent > 0 && setting.percent < 100) return 'drawn'
  return isWithin('rollout', seed ?? '', unitOf(team.teamId), setting.percent) ? 'percent' : 'outside'
}

export function getsIt(reason: SwitchReason): boolean {
  return reason === 'group' || reason === 'percent'
}

/** What a named switch is where nobody has set it. */
export const switchDefaults: Readonly<Record<SwitchName, boolean>> = {
  osSwitch1: true,
  osSwitch2: true,
  osSwitch3: true,
  osSwitch4: true,
  unrealNameSwitch: true,
  chinaSideSwitch: true,
  googleAnalyticsSwitch: false,
  useAgcLoginSwitch: true,
  h5UseAgcLoginSwitch: true,
  storageSwitch: true,
}

export function isNamedSwitch(feature: string): feature is SwitchName {
  return (switchNames as readonly string[]).includes(feature)
}

/** Asked before anybody has a team or a zone: on or off for all, with no share, no zones and no groups. */
export function isForAll(feature: string): boolean {
  return (ownSignInSwitches as readonly string[]).includes(feature)
}

/** Whether a feature is on: as it was set, else as the console comes; a feature that nobody knows is off. */
export function isFeatureOnFor(
  feature: string,
  row: (SwitchSetting & { seed: string }) | undefined,
  team: AskedFor,
): boolean {
  if (row) return getsIt(switchReason(row, row.seed, team))
  return isNamedSwitch(feature) && switchDefaults[feature]
}

/** A named switch that nobody has set, as the list shows it. */
export function unsetSwitch(feature: SwitchName) {
  return {
    feature,
    isOn: switchDefaults[feature],
    percent: 100,
    zones: [],
    groups: [],
    note: '',
    seed: null,
    updatedAt: null,
    revision: 0,
  }
}

/** The team ids of a list that somebody pasted or a file held, each once, and what in it is none. */
export function teamIdsIn(text: string): { ids: string[]; wrong: string[] } {
  const words = new Set(text.split(/[\s,;"']+/).filter(Boolean))
  const isId = (word: string) => /^[1-9]\d{0,18}$/.test(word) && BigInt(word) <= 9_223_372_036_854_775_807n
  return { ids: [...words].filter(isId), wrong: [...words].filter(word => !isId(word)) }
}
