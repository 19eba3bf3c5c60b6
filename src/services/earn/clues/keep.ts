import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { clueBehaviors as rows } from './tables.ts'

interface Behavior {
  dataType: (typeof rows.$inferInsert)['dataType']
  detail: { serviceId: string; serviceCode: string; menuId: string }
  session: string
  visit: string | null
  teamId: string | null
}

const dayMs = 86_400_000

/** What is kept of a session or a visit: enough to see that two are the same. */
export function digestOf(ctx: Context, of: 'session' | 'visit', value: string): string {
  return ctx.server.masterKey.sign(`clue ${of}`, value)
}

/** Somebody whose browser made no id for the visit: the same address and browser on the same day. */
export function visitorOf(ctx: Context, userAgent: string): string {
  const day = Math.floor(ctx.now() / dayMs)
  return ctx.server.masterKey.sign('clue visitor', [day, ctx.place.ip ?? '', userAgent].join('\n'))
}

/** Whether it is new; the same service by the same data type is kept once a session. The scope must be `all` where there is a team. */
export async function keepBehavior(ctx: Context, behavior: Behavior): Promise<boolean> {
  const { detail, dataType, session, visit, teamId } = behavior
  const clean = (word: string) => word.replaceAll('\0', '').toWellFormed()
  const row = {
    serviceId: clean(detail.serviceId),
    serviceCode: clean(detail.serviceCode),
    menuId: clean(detail.menuId),
  }
  const { rowCount } = await ctx.db
    .insert(rows)
    .values({ behaviorId: ctx.newId(), ...row, dataType, session, visit, teamId, at: ctx.now() })
    .onConflictDoNothing()
  return rowCount === 1
}

/** What was looked at before signing in belongs to the team that then acts. The scope of rows must be `all`. */
export async function attachVisit(ctx: Context, visit: string, teamId: string): Promise<void> {
  await ctx.db
    .update(rows)
    .set({ teamId })
    .where(and(eq(rows.visit, visit), isNull(rows.teamId)))
}
