import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { loadBucket } from '../buckets/rows.ts'
import { storageErrors } from '../contract.ts'
import { type CacheRule, cachePatternProblem, cacheRuleOf, isFolder, limits, pathProblem } from '../rules.ts'
import { storageSites } from '../tables.ts'
import { storageHosting, storageHostingOlder } from './contract.ts'
import { siteSignal } from './sites.ts'

type SiteRow = typeof storageSites.$inferSelect

async function findSite(ctx: Context, bucketId: string, lock = false): Promise<SiteRow | null> {
  const query = ctx.db.select().from(storageSites).where(eq(storageSites.bucketId, bucketId))
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

function toSite(ctx: Context, bucketId: string, row: SiteRow | null) {
  const { hostingDomain, filesUrl, publicUrl } = ctx.server.config
  const own = hostingDomain === undefined ? [] : [`${new URL(publicUrl).protocol}//${bucketId}.${hostingDomain}/`]
  return {
    bucketId,
    state: row?.state ?? ('DISABLED' as const),
    addresses: [...own, `${filesUrl ?? publicUrl}/hosting/${bucketId}/`],
    indexDoc: row?.indexDoc ?? 'index.html',
    errorDoc: row?.errorDoc ?? null,
    spaFallback: row?.isSinglePage ?? false,
    cacheRules: row?.cacheRules ?? [],
    refreshes: row?.refreshes ?? [],
    hasOwnOrigin: hostingDomain !== undefined,
    revision: row?.revision ?? null,
  }
}

function assertPatterns(rules: readonly CacheRule[]): void {
  for (const [at, { pattern }] of rules.entries()) {
    const problem = cachePatternProblem(pattern)
    if (problem !== null) throw badField(`/cacheRules/${at}/pattern`, 'pattern', problem)
  }
}

/** Paths of files, without folders, and one more than a preview looks at. */
async function firstPaths(ctx: Context, bucketId: string): Promise<string[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ path: string }>({
    text: `SELECT path FROM storage_objects WHERE bucket_id = $1 AND NOT path LIKE '%/' ORDER BY path LIMIT $2`,
    values: [bucketId, limits.previewedPaths + 1],
  })
  return rows.map(row => row.path)
}

const handlers: Handlers<typeof storageHosting> = {
  queryCDN: async (ctx, { body: { bucketId } }) => {
    await loadBucket(ctx, bucketId)
    return toSite(ctx, bucketId, await findSite(ctx, bucketId))
  },

  updateSite: async (ctx, { body }) => {
    const { bucketId, enabled, revision } = body
    await loadBucket(ctx, bucketId, true)
    for (const name of ['indexDoc', 'errorDoc'] as const) {
      const document = body[name]
      const problem = document == null ? null : isFolder(document) ? 'is that of a folder' : pathProblem(document)
      if (problem !== null) throw badField(`/${name}`, 'path', problem)
    }
    assertPatterns(body.cacheRules ?? [])
    const before = await findSite(ctx, bucketId, true)
    if ((before?.revision ?? undefined) !== revision)
      refuse(commonErrors.stale, { revision: before?.revision ?? 'none' })
    const now = ctx.now()
    const values = {
      state: enabled ? ('ACTIVE' as const) : ('DISABLED' as const),
      indexDoc: body.indexDoc ?? before?.indexDoc ?? 'index.html',
      errorDoc: body.errorDoc === undefined ? (before?.errorDoc ?? null) : body.errorDoc,
      isSinglePage: body.spaFallback ?? before?.isSinglePage ?? false,
      cacheRules: body.cacheRules ?? before?.cacheRules ?? [],
      updatedAt: now,
    }
    const [row] = await ctx.db
      .insert(storageSites)
      .values({ bucketId, teamId: ctx.teamId, createdAt: now, ...values })
      .onConflictDoUpdate({
        target: storageSites.bucketId,
        set: { ...values, revision: sql`${storageSites.revision} + 1` },
      })
      .returning()
    ctx.audit({ action: 'storage.site', entity: 'bucket', entityId: bucketId, after: values })
    ctx.signal(ctx.zone, siteSignal, bucketId)
    return toSite(ctx, bucketId, row ?? null)
  },

  refreshCDN: async (ctx, { body: { bucketId, paths, prefix } }) => {
    await loadBucket(ctx, bucketId)
    const site = await findSite(ctx, bucketId, true)
    if (!site || site.state === 'DISABLED') refuse(storageErrors.noSite, { bucket: bucketId })
    const refreshId = randomUUID()
    const meant = paths ?? [`${prefix ?? ''}*`]
    const refresh = { refreshId, at: ctx.now(), paths: meant, doneAt: null }
    await ctx.db
      .update(storageSites)
      .set({
        state: 'REFRESHING',
        refreshes: [refresh, ...site.refreshes].slice(0, limits.shownRefreshes),
        updatedAt: ctx.now(),
      })
      .where(eq(storageSites.bucketId, bucketId))
    ctx.audit({ action: 'storage.site.refresh', entity: 'bucket', entityId: bucketId, after: { paths: meant } })
    const jobId = ctx.startJob({
      kind: 'storage.refreshSite',
      subject: bucketId,
      input: { bucketId, refreshId },
      deadlineMs: 600_000,
    })
    return { refreshId, jobId }
  },

  previewCacheRules: async (ctx, { body: { bucketId, cacheRules } }) => {
    await loadBucket(ctx, bucketId)
    assertPatterns(cacheRules)
    const paths = await firstPaths(ctx, bucketId)
    const looked = paths.slice(0, limits.previewedPaths)
    const hits = [...cacheRules, null].map(() => ({ count: 0, examples: [] as string[] }))
    for (const path of looked) {
      const hit = hits.at(cacheRuleOf(cacheRules, path))
      if (hit && ++hit.count <= limits.previewExamples) hit.examples.push(path)
    }
    const others = hits.pop() ?? { count: 0, examples: [] }
    return { looked: looked.length, isWhole: paths.length === looked.length, hits, others }
  },
}

export default implement(storageHosting, handlers)
export const older = implement(storageHostingOlder, { queryCDN: handlers.queryCDN })

/** Every process forgets what it keeps of the site; then the refresh is done. */
export async function finishRefresh(ctx: Context, bucketId: string, refreshId: string): Promise<void> {
  const site = await findSite(ctx, bucketId, true)
  if (!site) return
  const refreshes = site.refreshes.map(one => (one.refreshId === refreshId ? { ...one, doneAt: ctx.now() } : one))
  const isDone = refreshes.every(one => one.doneAt !== null)
  await ctx.db
    .update(storageSites)
    .set({ refreshes, ...(site.state === 'REFRESHING' && isDone ? { state: 'ACTIVE' as const } : {}) })
    .where(eq(storageSites.bucketId, bucketId))
  ctx.signal(ctx.zone, siteSignal, bucketId)
}
