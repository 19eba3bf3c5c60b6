import { and, asc, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../server/implement.ts'
import { jobOf } from '../../../server/job-row.ts'

import { isFeatureOn } from '../../ground/menu/public.ts'
import { publishRules, rulesVersions } from '../rules/public.ts'
import { toBucket, toBuckets } from './buckets/answer.ts'
import { bucketSignal } from './buckets/facts.ts'
import { assertRevision, type BucketToMake, beginDeletion, makeBucket, openService } from './buckets/making.ts'
import { loadBucket, openedService, projectHere, serviceOf } from './buckets/rows.ts'
import { usageOf, usedNow } from './buckets/usage.ts'
import { storage, storageOlder } from './contract.ts'
import { corsProblem, quotas } from './rules.ts'
import { firstRules } from './security/first-rules.ts'
import { buckets, storageServices } from './tables.ts'
import { recordUse } from './use.ts'

const handlers: Handlers<typeof storage> = {
  existService: async (ctx, { body: { projectId } }) => {
    const project = await projectHere(ctx, projectId)
    const service = await serviceOf(ctx, projectId)
    const switchNew = await isFeatureOn(ctx, 'storageSwitch')
    return {
      exist: service !== null,
      enabled: service !== null && service.level !== 'SUSPENDED',
      region: project.zone,
      switchNew,
      projectId,
    }
  },

  initData: async (ctx, { body: { projectId, bucketName } }) => {
    const bucketId = await ctx.transact(async inner => {
      const project = await projectHere(inner, projectId)
      await openService(inner, projectId)
      const service = await openedService(inner, projectId)
      if (service.defaultBucketId !== null) return service.defaultBucketId
      const name = bucketName ?? nameFrom(project.name)
      const bucket = await makeBucket(inner, { projectId, name, isDefault: true })
      await inner.db
        .update(storageServices)
        .set({ defaultBucketId: bucket.bucketId, revision: sql`${storageServices.revision} + 1` })
        .where(eq(storageServices.projectId, projectId))
      return bucket.bucketId
    })
    const rules = await rulesToBegin(ctx, projectId)
    return { bucketId, rules }
  },

  queryBucketIds: async (ctx, { body: { projectId } }) => {
    await projectHere(ctx, projectId)
    const rows = await ctx.db
      .select()
      .from(buckets)
      .where(and(eq(buckets.projectId, projectId), eq(buckets.teamId, ctx.teamId)))
      .orderBy(asc(buckets.createdAt), asc(buckets.bucketId))
    const list = await toBuckets(ctx, projectId, rows)
    return { total: list.length, list, nextCursor: null, buckets: list }
  },

  createStorageBucket: (ctx, { body }) => create(ctx, body),
  createBucket: (ctx, { body }) => create(ctx, body),

  getBucketId: async (ctx, { body: { projectId, name } }) => {
    await projectHere(ctx, projectId)
    const wanted = name === undefined ? eq(buckets.isDefault, true) : eq(buckets.name, name)
    const [row] = await ctx.db
      .select()
      .from(buckets)
      .where(and(eq(buckets.projectId, projectId), eq(buckets.teamId, ctx.teamId), wanted))
      .orderBy(asc(buckets.createdAt))
      .limit(1)
    return { bucketId: (row ?? refuse(commonErrors.notFound, { entity: 'bucket', id: name ?? 'default' })).bucketId }
  },

  getUserLevel: async (ctx, { body: { projectId } }) => {
    await projectHere(ctx, projectId)
    const { level } = await openedService(ctx, projectId)
    await recordUse(ctx.server)
    const used = await usedNow(ctx, projectId)
    return {
      level,
      quotas: Object.entries(quotas[level]).map(([metric, limit]) => ({
        metric,
        limit,
        used: used[metric as keyof typeof used],
      })),
    }
  },

  deleteBucket: async (ctx, { body: { bucketId, force } }) =>
    ctx.transact(async inner => {
      const isGone = await beginDeletion(inner, bucketId, force ?? false)
      if (isGone) return { jobId: null }
      const input = { bucketId }
      return {
        jobId: inner.startJob({ kind: 'storage.emptyBucket', subject: bucketId, input, deadlineMs: 6 * 3_600_000 }),
      }
    }),

  updateBucket: async (ctx, { body: { bucketId, revision, ...change } }) => {
    const before = await loadBucket(ctx, bucketId, true)
    assertRevision(before, revision)
    const [row] = await ctx.db
      .update(buckets)
      .set({
        ...(change.versioning === undefined ? {} : { versioning: change.versioning }),
        ...(change.maxObjectBytes === undefined ? {} : { maxObjectBytes: change.maxObjectBytes }),
        ...(change.allowedTypes === undefined
          ? {}
          : { allowedTypes: change.allowedTypes.map(one => one.toLowerCase()) }),
        ...(change.lifecycle === undefined ? {} : { lifecycle: change.lifecycle }),
        revision: sql`${buckets.revision} + 1`,
        updatedAt: ctx.now(),
      })
      .where(eq(buckets.bucketId, bucketId))
      .returning()
    ctx.audit({ action: 'storage.bucket.update', entity: 'bucket', entityId: bucketId, after: change })
    ctx.signal(ctx.zone, bucketSignal, bucketId)
    return toBucket(ctx, row as NonNullable<typeof row>)
  },

  queryCors: async (ctx, { body: { bucketId } }) => {
    const { cors, revision } = await loadBucket(ctx, bucketId)
    return { rules: cors, revision }
  },

  updateCors: async (ctx, { body: { bucketId, rules, revision } }) => {
    const at = rules.findIndex(rule => corsProblem(rule) !== null)
    const wrong = rules[at]
    if (wrong) throw badField(`/rules/${at}`, 'origin', corsProblem(wrong) ?? '')
    return setCors(ctx, bucketId, rules, revision)
  },

  deleteCors: (ctx, { body: { bucketId } }) => setCors(ctx, bucketId, []),

  queryJob: async (ctx, { body: { jobId, kind } }) => {
    const { state, percent, step } = await jobOf(ctx, kind, jobId)
    return { state, percent, step }
  },

  listUsage: async (ctx, { body }) => {
    await projectHere(ctx, body.projectId)
    if (body.bucketId !== undefined) await loadBucket(ctx, body.bucketId)
    await recordUse(ctx.server)
    return usageOf(ctx, body)
  },
}

export default implement(storage, handlers)

const { existService, initData, queryBucketIds, createStorageBucket } = handlers
export const older = implement(storageOlder, { existService, initData, queryBucketIds, createStorageBucket })

/** The newest rules; the first ones where there are none. Of two that open at once, one publishes. */
async function rulesToBegin(ctx: Context, projectId: string): Promise<string> {
  const where = { projectId, service: 'agc.cloud.storage' as const }
  const newest = () => ctx.transact(async inner => (await rulesVersions(inner, where))[0]?.source)
  const there = await newest()
  if (there !== undefined) return there
  try {
    const published = await ctx.transact(inner => publishRules(inner, where, { source: firstRules, baseVersion: 0 }))
    return published.source
  } catch (error) {
    return (await newest()) ?? Promise.reject(error)
  }
}

async function create(ctx: Context, body: { projectId: string; name: string; versioning?: boolean | undefined }) {
  return ctx.transact(async inner => {
    await projectHere(inner, body.projectId)
    const wanted: BucketToMake = { projectId: body.projectId, name: body.name, isVersioned: body.versioning }
    return toBucket(inner, await makeBucket(inner, wanted))
  })
}

export async function setCors(
  ctx: Context,
  bucketId: string,
  cors: (typeof buckets.$inferSelect)['cors'],
  revision?: number,
) {
  const before = await loadBucket(ctx, bucketId, true)
  assertRevision(before, revision)
  const [row] = await ctx.db
    .update(buckets)
    .set({ cors, revision: sql`${buckets.revision} + 1`, updatedAt: ctx.now() })
    .where(eq(buckets.bucketId, bucketId))
    .returning()
  ctx.audit({ action: 'storage.cors', entity: 'bucket', entityId: bucketId, after: { cors } })
  ctx.signal(ctx.zone, bucketSignal, bucketId)
  return { rules: cors, revision: row?.revision ?? before.revision + 1 }
}

/** Turns the keeping of versions on, or stops it; what is kept stays. */
export async function setVersioning(ctx: Context, bucketId: string, versioning: 'ON' | 'PAUSED'): Promise<void> {
  await loadBucket(ctx, bucketId, true)
  await ctx.db
    .update(buckets)
    .set({ versioning, revision: sql`${buckets.revision} + 1`, updatedAt: ctx.now() })
    .where(eq(buckets.bucketId, bucketId))
  ctx.audit({ action: 'storage.bucket.update', entity: 'bucket', entityId: bucketId, after: { versioning } })
  ctx.signal(ctx.zone, bucketSignal, bucketId)
}

/** A bucket's name from what the project is called. */
function nameFrom(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return letters.length >= 3 ? letters.replace(/-+$/, '') : 'default-bucket'
}
