import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { appOf, appsOf } from '../../apps/public.ts'
import { sensitiveApps, tasks } from '../tables.ts'

/** Whether reviews of the app need two reviewers. */
export async function isSensitive(ctx: Context, appId: string): Promise<boolean> {
  return (await ctx.db.$count(sensitiveApps, eq(sensitiveApps.appId, appId))) > 0
}

/** From now on, and for what waits or is looked at already. */
export async function setSensitive(ctx: Context, wish: { appId: string; isSensitive: boolean; reason: string }) {
  const { appId, teamId } = await appOf(ctx, wish.appId)
  const was = await isSensitive(ctx, appId)
  const { isSensitive: needsSecond, reason } = wish
  if (needsSecond) {
    const row = { appId, teamId, reason, setBy: ctx.accountId, at: ctx.now() }
    await ctx.db.insert(sensitiveApps).values(row).onConflictDoUpdate({ target: sensitiveApps.appId, set: row })
  } else {
    await ctx.db.delete(sensitiveApps).where(eq(sensitiveApps.appId, appId))
  }
  await ctx.db
    .update(tasks)
    .set({ needsSecond, updatedAt: ctx.now() })
    .where(and(eq(tasks.appId, appId), inArray(tasks.state, ['QUEUED', 'CLAIMED', 'WAITING'])))
  ctx.audit({
    action: 'review.setSensitive',
    entity: 'app',
    entityId: appId,
    teamId,
    before: { needsSecond: was },
    after: { needsSecond, reason },
  })
}

export async function pageOfSensitive(ctx: Context, page: { cursor?: string; pageSize?: number }) {
  const pageSize = page.pageSize ?? 20
  const isCursor = page.cursor !== undefined && /^[0-9]{1,18}$/.test(page.cursor)
  const rows = await ctx.db
    .select()
    .from(sensitiveApps)
    .where(isCursor ? lt(sensitiveApps.appId, page.cursor ?? '') : undefined)
    .orderBy(desc(sensitiveApps.appId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  const apps = await appsOf(
    ctx,
    list.map(row => row.appId),
  )
  const people = await accountsOf(ctx, [...new Set(list.map(row => row.setBy))])
  return {
    total: await ctx.db.$count(sensitiveApps),
    list: list.map(row => {
      const app = apps.find(one => one.appId === row.appId)
      const setBy = people.find(one => one.accountId === row.setBy)?.name ?? null
      return { ...row, setBy, appName: app?.name ?? '', packageName: app?.packageName ?? null }
    }),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.appId ?? null) : null,
  }
}
