import { and, desc, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { compileSource } from './compile.ts'
import { rules as contract } from './contract.ts'
import { checkCompiled, type RulesCheck } from './diagnostics.ts'
import type { RuledService, RulePlace } from './engine-types.ts'
import { memoryOf, rulesChannel } from './memory.ts'
import { limits } from './rules.ts'
import { ruleHeads, ruleVersions } from './tables.ts'

export interface Where {
  projectId: string
  service: RuledService
}

export type VersionRow = typeof ruleVersions.$inferSelect
export type HeadRow = typeof ruleHeads.$inferSelect

const ofHead = ({ projectId, service }: Where) =>
  and(eq(ruleHeads.projectId, projectId), eq(ruleHeads.service, service))
const ofVersions = ({ projectId, service }: Where) =>
  and(eq(ruleVersions.projectId, projectId), eq(ruleVersions.service, service))

/** Of the column that holds it. */
const largestVersion = 2_147_483_647

export const subjectOf = ({ projectId, service }: Where) => `${projectId}/${service}`

export async function headOf(ctx: Context, where: Where): Promise<HeadRow | null> {
  const [head] = await ctx.db.select().from(ruleHeads).where(ofHead(where))
  return head ?? null
}

/** The head, made when there is none, held until the transaction ends. */
export async function lockHead(ctx: Context, where: Where): Promise<HeadRow> {
  await ctx.db
    .insert(ruleHeads)
    .values({ ...where, teamId: ctx.teamId, updatedAt: ctx.now() })
    .onConflictDoNothing()
  const [head] = await ctx.db.select().from(ruleHeads).where(ofHead(where)).for('update')
  return head ?? refuse(commonErrors.notFound, { entity: 'project', id: where.projectId })
}

/** What rules can match; null where nobody says. */
export async function placesOf(ctx: Context, { projectId, service }: Where): Promise<readonly RulePlace[] | null> {
  const data = memoryOf(ctx.server).data.get(service === 'agc.cloud.storage' ? 'storage' : 'clouddb')
  if (!data?.places) return null
  return data.places({ projectId, teamId: ctx.teamId, zone: ctx.zone })
}

export async function check(ctx: Context, where: Where, source: string): Promise<RulesCheck> {
  return checkCompiled(compileSource(source, where.service), source, await placesOf(ctx, where))
}

/** Refuses what cannot be published, with every fault. */
export async function assertPublishable(ctx: Context, where: Where, source: string): Promise<void> {
  const { diagnostics } = checkCompiled(compileSource(source, where.service), source, await placesOf(ctx, where))
  const faults = diagnostics.filter(one => one.severity === 'ERROR')
  const [first] = faults
  if (!first) return
  const { line, col, message } = first
  refuse(contract.errors.notPublishable, { count: faults.length, line, col, message, diagnostics: faults })
}

/** Refuses when another version came into force since the work began. */
export function assertBase(head: HeadRow | null, baseVersion: number): void {
  const published = head?.published ?? 0
  if (published !== baseVersion) refuse(contract.errors.versionMoved, { published, baseVersion })
}

export async function publish(
  ctx: Context,
  where: Where,
  wish: { source: string; baseVersion: number; note?: string | undefined },
): Promise<VersionRow> {
  await assertPublishable(ctx, where, wish.source)
  const head = await lockHead(ctx, where)
  assertBase(head, wish.baseVersion)
  const kept = await ctx.db.$count(ruleVersions, ofVersions(where))
  if (kept >= limits.keptVersions) refuse(contract.errors.tooManyVersions, { limit: limits.keptVersions })
  const version = head.lastVersion + 1
  const row: VersionRow = {
    versionId: ctx.newId(),
    ...where,
    teamId: ctx.teamId,
    version,
    source: wish.source,
    note: wish.note ?? '',
    publishedAt: ctx.now(),
    publishedBy: ctx.caller.accountId ?? ctx.caller.name,
  }
  await ctx.db.insert(ruleVersions).values(row)
  await ctx.db
    .update(ruleHeads)
    .set({ published: version, lastVersion: version, draft: null, draftBy: null, ...touched(ctx) })
    .where(ofHead(where))
  tell(ctx, where, 'rules.publish', { version })
  ctx.emit({ type: 'rules.published', entity: 'rules', entityId: subjectOf(where), data: { ...where, version } })
  return row
}

const touched = (ctx: Context) => ({ updatedAt: ctx.now(), revision: sql`${ruleHeads.revision} + 1` })

function tell(ctx: Context, where: Where, action: string, after: Record<string, unknown>): void {
  ctx.audit({ action, entity: 'rules', entityId: subjectOf(where), after })
  ctx.signal(ctx.zone, rulesChannel, subjectOf(where))
}

export async function versions(ctx: Context, where: Where): Promise<VersionRow[]> {
  return ctx.db.select().from(ruleVersions).where(ofVersions(where)).orderBy(desc(ruleVersions.version))
}

export async function versionOf(ctx: Context, where: Where, version: number): Promise<VersionRow> {
  if (version > largestVersion) refuse(commonErrors.notFound, { entity: 'version', id: String(version) })
  const [row] = await ctx.db
    .select()
    .from(ruleVersions)
    .where(and(ofVersions(where), eq(ruleVersions.version, version)))
  return row ?? refuse(commonErrors.notFound, { entity: 'version', id: String(version) })
}

export async function remove(ctx: Context, where: Where, which: { version: number } | 'all'): Promise<void> {
  const head = await lockHead(ctx, where)
  if (which === 'all') {
    await ctx.db.delete(ruleVersions).where(ofVersions(where))
    await ctx.db
      .update(ruleHeads)
      .set({ published: 0, ...touched(ctx) })
      .where(ofHead(where))
    tell(ctx, where, 'rules.turn_off', { published: head.published })
    ctx.emit({ type: 'rules.turned_off', entity: 'rules', entityId: subjectOf(where), data: { ...where } })
    return
  }
  const { version } = await versionOf(ctx, where, which.version)
  if (version === head.published) refuse(contract.errors.versionInForce, { version })
  await ctx.db.delete(ruleVersions).where(and(ofVersions(where), eq(ruleVersions.version, version)))
  ctx.audit({ action: 'rules.delete_version', entity: 'rules', entityId: subjectOf(where), after: { version } })
}

export async function saveDraft(
  ctx: Context,
  where: Where,
  { draft, revision }: { draft: string | null; revision?: number | undefined },
): Promise<void> {
  const head = await lockHead(ctx, where)
  if (revision !== undefined && revision !== head.revision) refuse(commonErrors.stale, { revision: head.revision })
  await ctx.db
    .update(ruleHeads)
    .set({ draft, draftBy: draft === null ? null : ctx.caller.accountId, ...touched(ctx) })
    .where(ofHead(where))
}

/** The rules in force as text, or null. */
export async function publishedSource(ctx: Context, where: Where): Promise<VersionRow | null> {
  const head = await headOf(ctx, where)
  return head && head.published > 0 ? versionOf(ctx, where, head.published) : null
}
