import { isDeepStrictEqual } from 'node:util'
import { and, eq, lte, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { problemsFor } from './checking.ts'
import { remoteConfigErrors as errors } from './contract.ts'
import { differenceOf, threeWayOf } from './difference.ts'
import {
  contentOf,
  digestOf,
  draftOf,
  lockTemplate,
  ofTemplate,
  record,
  refuseProblems,
  subjectOf,
  type TemplateRow,
  type Where,
} from './drafts.ts'
import { runningProblems } from './payload.ts'
import { emptyTemplate, etagOf, limits, type Origin, type Template, versionOfEtag } from './rules.ts'
import { rcsTemplates, rcsVersions } from './tables.ts'
import { keptContent, type VersionRow } from './versions.ts'

/** Tells every process that another version is in force. */
export const publishChannel = 'remoteconfig'

const mostTold = 200

export interface Publish {
  content: Template
  origin: Origin
  description: string
  rollbackSource?: number
}

/** What an app asks with: the etag it read, or `*` for whoever may put its own over anything. */
export async function assertEtag(
  ctx: Context,
  where: Where,
  row: TemplateRow,
  etag: string | undefined,
  mine: Template,
): Promise<void> {
  if (etag === undefined || etag === '') refuse(errors.etagMissing)
  if (etag.trim() === '*') {
    if (!ctx.may('remoteConfig.force')) refuse(commonErrors.notAllowed, { permission: 'remoteConfig.force' })
    return
  }
  const version = versionOfEtag(where.projectId, where.kind, etag)
  if (version !== row.version) await refuseMoved(ctx, where, row, version, mine)
}

/** Refuses with what both sides changed since the version that was read. */
export async function refuseMoved(
  ctx: Context,
  where: Where,
  row: TemplateRow,
  readVersion: number | null,
  mine: Template,
): Promise<never> {
  const base = readVersion === null ? null : await keptContent(ctx, where, readVersion)
  const theirs = (await keptContent(ctx, where, row.version)) ?? emptyTemplate()
  const changes = threeWayOf(base ?? emptyTemplate(), theirs, mine)
  return refuse(errors.etagMoved, {
    version: row.version,
    etag: etagOf(where.projectId, where.kind, row.version),
    baseVersion: base === null ? null : readVersion,
    conflicts: changes.filter(one => one.isConflict).length,
    total: changes.length,
    changes: changes.slice(0, mostTold),
  })
}

/**
 * Puts a template into force as the next version, under the lock of its row. A draft that was clean follows. Refuses what
 * cannot be published. The caller asked for the etag.
 */
export async function publish(ctx: Context, where: Where, row: TemplateRow, wish: Publish): Promise<VersionRow> {
  const { content, origin, description } = wish
  refuseProblems(await problemsFor(ctx, where.projectId, content, true))
  refuseProblems(runningProblems(content, row))
  const before = (await keptContent(ctx, where, row.version)) ?? emptyTemplate()
  const differences = differenceOf(before, content)
  const count = (change: string) => differences.filter(one => one.change === change).length
  const version = row.version + 1
  const now = ctx.now()
  const made: VersionRow = {
    ...where,
    version,
    teamId: row.teamId,
    digest: digestOf(content),
    ...{ origin, description, rollbackSource: wish.rollbackSource ?? null },
    parameterCount: Object.keys(content.parameters).length,
    conditionCount: content.conditions.length,
    ...{ added: count('added'), changed: count('changed'), removed: count('removed') },
    publishedAt: now,
    publishedBy: ctx.caller.accountId,
  }
  await ctx.db.insert(rcsVersions).values({ ...made, content })
  const isFollowed = row.draftDigest === row.digest || row.draftDigest === made.digest
  await ctx.db
    .update(rcsTemplates)
    .set({
      version,
      digest: made.digest,
      valuesSince: valuesSince(before, content, row.valuesSince, now),
      publishedAt: now,
      updatedAt: now,
      revision: sql`${rcsTemplates.revision} + 1`,
      ...(isFollowed && {
        draft: draftOf(content, row.revision + 1, row.draft),
        draftDigest: made.digest,
        baseVersion: version,
      }),
    })
    .where(ofTemplate(where))
  await dropOldest(ctx, where, version)
  record(ctx, where, 'published', { version, origin, rollbackSource: made.rollbackSource })
  ctx.emit({
    type: 'remote_config.published',
    entity: 'remote_config',
    entityId: subjectOf(where),
    teamId: row.teamId,
    data: { ...where, version, origin },
  })
  ctx.signal(ctx.zone, publishChannel, `${where.projectId} ${where.kind} ${version}`)
  return made
}

/** When the values of each parameter became what they are; those that stay keep their time, as far as it is known. */
function valuesSince(
  { parameters: before }: Template,
  { parameters }: Template,
  known: Readonly<Record<string, number>>,
  now: number,
): Record<string, number> {
  const same = (key: string) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined
    const is = parameters[key]
    return was && is && isDeepStrictEqual([was.default, was.conditional], [is.default, is.conditional])
  }
  const times = Object.keys(parameters).map(key => [key, (same(key) && known[key]) || now] as const)
  return Object.fromEntries(times)
}

/** The draft as it is. Somebody else's publish since the draft began is never written over unseen. */
export async function publishDraft(
  ctx: Context,
  where: Where,
  etag: string | undefined,
  description: string,
): Promise<VersionRow> {
  const row = await lockTemplate(ctx, where)
  const content = contentOf(row.draft)
  await assertEtag(ctx, where, row, etag, content)
  if (row.baseVersion !== row.version && etag?.trim() !== '*')
    await refuseMoved(ctx, where, row, row.baseVersion, content)
  if (row.draftDigest === row.digest) refuse(errors.unchanged)
  return publish(ctx, where, row, { content, origin: 'CONSOLE', description })
}

/** An older version again, as a new one. */
export async function rollback(
  ctx: Context,
  where: Where,
  target: number,
  etag: string | undefined,
  description: string,
): Promise<VersionRow> {
  const row = await lockTemplate(ctx, where)
  const content = target < row.version ? await keptContent(ctx, where, target) : null
  if (!content) refuse(commonErrors.notFound, { entity: 'version', id: target })
  if (etag !== undefined) await assertEtag(ctx, where, row, etag, content)
  return publish(ctx, where, row, { content, origin: 'ROLLBACK', description, rollbackSource: target })
}

/** Of the versions the newest 300 stay; old age is the sweep’s. */
export async function dropOldest(ctx: Context, where: Where, version: number): Promise<void> {
  await ctx.db
    .delete(rcsVersions)
    .where(
      and(
        eq(rcsVersions.projectId, where.projectId),
        eq(rcsVersions.kind, where.kind),
        lte(rcsVersions.version, version - limits.keptVersions),
      ),
    )
}
