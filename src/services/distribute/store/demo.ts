import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { dayMs, dayOf } from './rules.ts'
import { storeCounts, storeField, storeInstalls } from './tables.ts'

interface DemoDue {
  appId: string
  versionIds: [string, string]
  /** The last instant the numbers go to. */
  until: number
}

const days = 30
/** The newer version came out so many days before the end. */
const newerDays = 14

/** A number that looks like life and is the same for the same day: weekends are livelier, no two days are alike. */
export function demoInstalls(at: number): number {
  const dayNumber = Math.floor(at / dayMs)
  const isWeekend = [2, 3].includes(dayNumber % 7)
  const noise = Math.abs(Math.sin(dayNumber * 12.9898) * 43_758.5453) % 1
  return Math.round(80 + noise * 40 + (isWeekend ? 45 : 0))
}

/** The made-up numbers of a demo app for the last thirty days; what is there already stays as it is. */
export async function makeDemoNumbers(ctx: Context, event: Event): Promise<void> {
  const { appId, versionIds, until } = event.data as unknown as DemoDue
  const teamId = event.teamId ?? '0'
  const counts: (typeof storeCounts.$inferInsert)[] = []
  const installs: (typeof storeInstalls.$inferInsert)[] = []
  const field: (typeof storeField.$inferInsert)[] = []
  for (let back = days - 1; back >= 0; back--) {
    const at = until - back * dayMs
    const day = dayOf(at)
    const isNewer = back < newerDays
    const versionId = versionIds[isNewer ? 1 : 0]
    const amount = demoInstalls(at)
    const row = { versionId, day, teamId, appId }
    const failed = Math.round(amount * 0.03)
    const shares = { update_offered: 3, download: 1.2, download_start: 1.2, download_ok: 1.1, install_ok: 1, open: 2.4 }
    for (const [type, share] of Object.entries(shares))
      counts.push({ ...row, type, amount: Math.round(amount * share) })
    counts.push({ ...row, type: 'install_fail', amount: failed })
    const where = { deviceClass: 'phone', reason: '' }
    installs.push({ ...row, ...where, outcome: 'installed', country: 'DE', amount: amount - Math.round(amount / 3) })
    installs.push({ ...row, ...where, outcome: 'installed', country: 'FR', amount: Math.round(amount / 3) })
    installs.push({ ...row, ...where, outcome: 'failed', country: 'DE', reason: 'storage', amount: failed })
    field.push({ ...row, change: amount })
    // Who updates no longer has the version before.
    if (isNewer) field.push({ ...row, versionId: versionIds[0], change: -Math.round(amount * 0.7) })
  }
  await ctx.db.insert(storeCounts).values(counts).onConflictDoNothing()
  await ctx.db.insert(storeInstalls).values(installs).onConflictDoNothing()
  await ctx.db.insert(storeField).values(field).onConflictDoNothing()
}
