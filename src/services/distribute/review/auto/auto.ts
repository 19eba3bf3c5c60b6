import { randomInt } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { differenceOf } from '../../packages/public.ts'
import { evidenceOf } from '../../versions/public.ts'
import { autoRules } from '../tables.home.ts'
import { owedSamples, tasks } from '../tables.ts'
import { type AutoReason, reasonsToPass, type Update, usualRules } from './rules.ts'

export interface Automatic {
  reasons: AutoReason[]
  /** Drawn to be looked at all the same. */
  isSampled: boolean
}

/**
 * Whether an update may pass without a look; null when somebody must look anyway. A sample is drawn from the operating
 * system's randomness, once: until somebody has looked at something of the app, whatever comes of it is a sample too, so
 * that withdrawing and handing in again draws nothing new.
 */
export async function automaticOf(
  ctx: Context,
  version: { versionId: string; appId: string; teamId: string },
): Promise<Automatic | null> {
  const rules = (await ctx.home.select().from(autoRules))[0] ?? usualRules
  if (!rules.isOn) return null
  const update = await updateOf(ctx, version)
  const reasons = update && reasonsToPass(rules, update)
  if (!reasons) return null
  const { appId, teamId } = version
  if ((await ctx.db.$count(owedSamples, eq(owedSamples.appId, appId))) > 0) return { reasons, isSampled: true }
  const isSampled = randomInt(100) < rules.samplePercent
  if (isSampled) await ctx.db.insert(owedSamples).values({ appId, teamId, at: ctx.now() }).onConflictDoNothing()
  return { reasons, isSampled }
}

/** Somebody looked at the app: no sample of it is owed any more. */
export async function paySample(ctx: Context, appId: string): Promise<void> {
  await ctx.db.delete(owedSamples).where(eq(owedSamples.appId, appId))
}

async function updateOf(ctx: Context, of: { versionId: string; teamId: string }): Promise<Update | null> {
  const { version, package: pkg, predecessor, findings } = await evidenceOf(ctx, of.versionId)
  if (!predecessor) return null
  const isSamePackage = version.pkgId === predecessor.version.pkgId
  const canCompare = version.pkgId !== null && predecessor.version.pkgId !== null && !isSamePackage
  return {
    findings: findings.length + (pkg?.findings.length ?? 0),
    isSamePackage,
    difference: canCompare ? await differenceOf(ctx, version.pkgId ?? '', predecessor.version.pkgId ?? '') : null,
    cleanDays: await cleanDaysOf(ctx, of.teamId),
  }
}

/** For how many days what the team hands in was accepted; 0 where nothing was accepted since the last rejection. */
async function cleanDaysOf(ctx: Context, teamId: string): Promise<number> {
  const [row] = await ctx.db
    .select({
      since: sql<
        string | null
      >`min(${tasks.decidedAt}) FILTER (WHERE ${tasks.verdict} <> 'REJECT' AND ${tasks.decidedAt} >
        coalesce((SELECT max(r.decided_at) FROM review_tasks r WHERE r.team_id = ${teamId} AND r.state = 'DECIDED'
          AND r.verdict = 'REJECT'), 0))`,
    })
    .from(tasks)
    .where(and(eq(tasks.teamId, teamId), eq(tasks.state, 'DECIDED')))
  const since = row?.since ?? null
  return since === null ? 0 : Math.floor((ctx.now() - Number(since)) / 86_400_000)
}
