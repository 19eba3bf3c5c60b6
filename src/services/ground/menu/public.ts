import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { switchboardOf } from './switches.ts'
import { announcementRows, billboardSlots } from './tables.home.ts'

/**
 * Whether a feature is switched on for the team of the call, or for a visitor; one that nobody switched is as the console
 * comes where it is a named one, else off.
 */
export async function isFeatureOn(ctx: Context, feature: string): Promise<boolean> {
  return (await switchboardOf(ctx)).isOn(feature)
}

/** The same for several features, read once. */
export async function featuresOf(ctx: Context): Promise<(feature: string) => boolean> {
  return (await switchboardOf(ctx)).isOn
}

/** What people are told, or will be: an announcement or a slot of the billboard. */
export interface Told {
  kind: 'announcement' | 'billboard'
  title: { zh: string; en: string; ru: string }
  text: { zh: string; en: string; ru: string }
  href: string | null
  startAt: number | null
  endAt: number | null
  state: string
  isPublished: boolean
}

/** An announcement or a slot of the billboard in whatever state, in every zone; undefined when there is none of that id. The caller says who may see it. */
export async function toldOf(ctx: Context, id: string): Promise<Told | undefined> {
  const [row] = await ctx.home.select().from(announcementRows).where(eq(announcementRows.announcementId, id))
  if (row) {
    const { title, text, href, startAt, endAt, state } = row
    const isPublished = state === 'live' || state === 'ended'
    return { kind: 'announcement', title, text, href, startAt, endAt, state, isPublished }
  }
  const [slot] = await ctx.home.select().from(billboardSlots).where(eq(billboardSlots.slotId, id))
  if (!slot) return undefined
  const { title, text, href, startAt, endAt, isOn } = slot
  const isPublished = isOn && (startAt ?? 0) <= ctx.now() && (endAt ?? Number.POSITIVE_INFINITY) > ctx.now()
  return { kind: 'billboard', title, text, href, startAt, endAt, state: isOn ? 'on' : 'off', isPublished }
}
