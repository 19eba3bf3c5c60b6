import { variantOf } from '../../../kernel/bucketing.ts'
import { lifeCycle } from '../../../kernel/life-cycle.ts'
import { orderKeyBetween } from '../../../kernel/order-key.ts'

export const limits = {
  favorites: 50,
  recent: 20,
  configKeys: 100,
  groupsAtOnce: 50,
  tagSets: 100,
  tags: 100,
  titleLength: 100,
  textLength: 4000,
  billboardAtOnce: 5,
  weight: 1000,
} as const

/** Where a link of an announcement or a slot may go: a page of this console, or the web. */
export const linkPattern = '^(#/|https?://)[^\\s<>"]*$'

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
    const found = variantOf(
      viewer.place,
      unit,
      left.map(slot => slot.weight),
    )
    if (found < 0) break
    chosen.push(...left.splice(found, 1))
  }
  return chosen
}
