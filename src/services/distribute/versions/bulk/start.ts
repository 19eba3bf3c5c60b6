import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { appsOf } from '../../apps/public.ts'
import { loadVersions } from '../queries.ts'
import { limits, type ReleaseMode } from '../rules.ts'
import { bulkItems, bulks } from '../tables.ts'
import type { BulkAction } from './rules.ts'

export interface BulkWish {
  action: BulkAction
  versionIds: readonly string[]
  reason?: string
  releaseMode?: ReleaseMode
}

/** Writes down what is to be done with each version and starts the job. One foreign id refuses the whole. */
export async function startBulk(ctx: Context, wish: BulkWish): Promise<{ bulkId: string }> {
  const found = new Map((await loadVersions(ctx, wish.versionIds)).map(row => [row.versionId, row]))
  const wanted = wish.versionIds.map(id => found.get(id) ?? refuse(commonErrors.notFound, { entity: 'version', id }))
  const appIds = wanted.map(row => row.appId)
  const names = new Map((await appsOf(ctx, appIds)).map(app => [app.appId, app.name]))
  const bulkId = ctx.startJob({
    kind: 'versions.bulk',
    subject: wish.action,
    input: {
      action: wish.action,
      accountId: ctx.accountId,
      accountName: ctx.caller.name,
      reason: wish.reason ?? '',
      ...(wish.releaseMode ? { releaseMode: wish.releaseMode } : {}),
    },
    deadlineMs: limits.bulkMs,
  })
  await ctx.db.insert(bulks).values({
    bulkId,
    teamId: ctx.teamId,
    action: wish.action,
    reason: wish.reason ?? '',
    total: wanted.length,
    createdBy: ctx.accountId,
    createdAt: ctx.now(),
  })
  await ctx.db.insert(bulkItems).values(
    wanted.map(({ versionId, appId, versionName, versionCode }, position) => ({
      bulkId,
      position,
      teamId: ctx.teamId,
      versionId,
      appId,
      appName: names.get(appId) ?? '',
      versionName,
      versionCode,
      result: 'WAITING' as const,
    })),
  )
  ctx.audit({
    action: `bulk.${wish.action}`,
    entity: 'versionBulk',
    entityId: bulkId,
    after: { versions: wanted.length, reason: wish.reason ?? null },
  })
  return { bulkId }
}
