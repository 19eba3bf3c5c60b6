import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { blocksOfServices } from '../../../server/handover.ts'
import { transition } from '../../../server/life-cycle.ts'
import { apps as contract } from './contract.ts'
import type { AppRecord } from './queries.ts'
import { type AppAction, type AppFact, appFacts, appLifeCycle } from './rules.ts'
import { apps } from './tables.ts'

/** Moves an app by its life cycle; it must be locked. */
export async function move(ctx: Context, app: AppRecord, action: AppAction, note: Record<string, unknown> = {}) {
  await transition(ctx, {
    cycle: appLifeCycle,
    table: 'apps',
    idColumn: 'app_id',
    row: { id: app.appId, state: app.state, revision: app.revision },
    action,
    facts: appFacts(app),
    unmet: refuseDelete,
    data: { projectId: app.projectId, packageName: app.packageName },
    note,
    teamId: app.teamId,
  })
}

/** Moves an app and writes the fields that change with it. */
export async function change(
  ctx: Context,
  app: AppRecord,
  action: AppAction,
  fields: Partial<typeof apps.$inferInsert>,
  note?: Record<string, unknown>,
): Promise<AppRecord> {
  await move(ctx, app, action, note)
  const [row] = await ctx.db
    .update(apps)
    .set({ ...fields, updatedAt: ctx.now() })
    .where(eq(apps.appId, app.appId))
    .returning()
  return row ?? app
}

function refuseDelete(fact: AppFact): never {
  const reason =
    fact === 'neverOnShelf'
      ? 'it was on shelf; take it off the shelf instead'
      : 'a version is with the store; withdraw it first'
  refuse(contract.errors.deleteRefused, { reason })
}

/** Refuses what other services have against an app ending: it is one edition of several, or on its way to another team. */
export async function mustStandAlone(ctx: Context, appId: string): Promise<void> {
  const blocks = (await blocksOfServices(ctx, [appId])).get(appId) ?? []
  if (blocks.includes('IN_SERIES')) {
    refuse(contract.errors.deleteRefused, { reason: 'it stands in a series; take it out there first' })
  }
}
