import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { AppRecord } from '../queries.ts'
import { apps } from '../tables.ts'

const day = 86_400_000

/** The last instant of the day before, UTC. */
export function endOfYesterday(now: number): number {
  return Math.floor(now / day) * day - 1
}

/** Has the others fill in what the demo app shows up to an instant: versions its versions, the store its numbers. */
export function askForData(
  ctx: Context,
  app: Pick<AppRecord, 'appId' | 'teamId' | 'defaultLang' | 'name'>,
  demo: Demo,
) {
  const { appId, teamId, defaultLang, name } = app
  const data = { appId, defaultLang, name, ...demo }
  ctx.emit({ type: 'app.demo_due', entity: 'app', entityId: appId, teamId, data })
}

export type Demo = NonNullable<AppRecord['demo']>

/** Every day the numbers of each demo go on by a day. */
export async function renewDemos(ctx: Context): Promise<void> {
  const until = endOfYesterday(ctx.now())
  const due = await ctx.db
    .select()
    .from(apps)
    .where(
      and(isNotNull(apps.demo), eq(apps.state, 'ACTIVE'), sql`(${apps.demo} ->> 'until')::bigint < ${until}::bigint`),
    )
    .limit(500)
  for (const app of due) {
    if (!app.demo) continue
    const demo = { ...app.demo, until }
    await ctx.db.update(apps).set({ demo }).where(eq(apps.appId, app.appId))
    askForData(ctx, app, demo)
  }
}
