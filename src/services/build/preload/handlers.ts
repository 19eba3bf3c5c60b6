import { and, asc, eq, gt, gte, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { OutsideError } from '../../../server/outside/outside-error.ts'
import { appOf } from '../../distribute/apps/public.ts'
import { isEnterpriseVerified } from '../../ground/session/real-names/public.ts'
import { teamNamed } from '../../ground/teams/public.ts'
import { assertFunction } from '../functions/public.ts'
import { preloadErrors as errors, preload } from './contract.ts'
import { gatheredCounts } from './counting.ts'
import { isOpened, type PolicyRow } from './fetching.ts'
import { percentileOf, urlProblem } from './rules.ts'
import { preloadPolicies as policies, preloadAnswers, preloadCounts, preloadRegistrations } from './tables.ts'
import { tablesOfPolicy } from './tables-of-policy.ts'

const hourMs = 3_600_000
type Settings = Omit<Static<typeof preload.calls.createPolicy.body>, 'appId' | 'kind'>

export default implement(preload, {
  listPolicies: async (ctx, { query }) => {
    const { appId } = await appOf(ctx, query.appId)
    const rows = await ctx.db.select().from(policies).where(eq(policies.appId, appId)).orderBy(asc(policies.policyId))
    const list = await toPolicies(ctx, rows)
    return { total: list.length, list, nextCursor: null, maySendToServer: await isOrganisation(ctx) }
  },

  createPolicy: async (ctx, { body: { appId, kind, ...settings } }) => {
    const app = await ctx.transact(inner => appOf(inner, appId))
    const change = await checked(ctx, app.projectId, settings)
    return ctx.transact(async inner => {
      const now = inner.now()
      const row: PolicyRow = {
        ...{ policyId: inner.newId(), teamId: inner.teamId, projectId: app.projectId, appId, kind, ...change },
        ...{ lastStatus: null, lastProblem: null, lastAskedAt: null, createdAt: now, updatedAt: now, revision: 1 },
      }
      await inner.db
        .insert(policies)
        .values(row)
        .catch(error => {
          if (isDuplicate(error, 'preload_policies_of_app')) refuse(errors.kindTaken, { kind })
          throw error
        })
      told(inner, 'create', row, null, { kind, ...change })
      return { policyId: row.policyId, policy: await toPolicy(inner, row) }
    })
  },

  updatePolicy: async (ctx, { body: { policyId, revision, ...settings } }) => {
    const before = await ctx.transact(inner => loadPolicy(inner, policyId))
    if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
    const change = await checked(ctx, before.projectId, settings)
    return ctx.transact(async inner => {
      const now = await loadPolicy(inner, policyId, true)
      if (now.revision !== revision) refuse(commonErrors.stale, { revision: now.revision })
      const set = { ...change, updatedAt: inner.now(), revision: revision + 1 }
      await inner.db.update(policies).set(set).where(eq(policies.policyId, policyId))
      await inner.db.delete(preloadAnswers).where(eq(preloadAnswers.policyId, policyId))
      told(inner, 'update', now, { source: now.source, isEnabled: now.isEnabled }, change)
      return { policy: await toPolicy(inner, { ...now, ...set }) }
    })
  },

  deletePolicy: async (ctx, { query }) => {
    const row = await loadPolicy(ctx, query.policyId, true)
    for (const table of tablesOfPolicy) await ctx.db.delete(table).where(eq(table.policyId, row.policyId))
    told(ctx, 'delete', row, { appId: row.appId, kind: row.kind }, null)
    return {}
  },

  getStatistics: async (ctx, { query: { policyId, hours = 24 } }) => {
    await loadPolicy(ctx, policyId)
    await ctx.server.gathered.write(gatheredCounts)
    const until = Math.floor(ctx.now() / hourMs) * hourMs + hourMs
    const from = until - hours * hourMs
    const isMeant = and(eq(preloadCounts.policyId, policyId), gte(preloadCounts.hourAt, from))
    const rows = await ctx.db.select().from(preloadCounts).where(isMeant)
    const points = Array.from({ length: hours }, (_, at) => {
      const hourAt = from + at * hourMs
      return { at: hourAt, ...sums(rows.filter(row => row.hourAt === hourAt)) }
    })
    const now = ctx.now()
    const isKept = and(eq(preloadAnswers.policyId, policyId), gt(preloadAnswers.keptUntil, now))
    const isOn = and(eq(preloadRegistrations.policyId, policyId), gt(preloadRegistrations.endsAt, now))
    return {
      keptAnswers: await ctx.db.$count(preloadAnswers, isKept),
      registrations: await ctx.db.$count(preloadRegistrations, isOn),
      points,
    }
  },
})

type CountRow = typeof preloadCounts.$inferSelect

function sums(rows: readonly CountRow[]) {
  const of = (outcome: CountRow['outcome']) =>
    rows.filter(row => row.outcome === outcome).reduce((sum, row) => sum + row.requests, 0)
  return {
    ...{ hits: of('HIT'), stale: of('STALE'), misses: of('MISS'), errors: of('ERROR') },
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
    p95Ms: percentileOf(
      rows.map(({ upToMs, requests }) => ({ upToMs, count: requests })),
      95,
    ),
  }
}

/** Settings that can be: a function that is there, or a public address by https of an organisation. */
async function checked(ctx: Context, projectId: string, settings: Settings) {
  const { source, functionName = null, qualifier = '$latest', url = null, ...rest } = settings
  if (source === 'FUNCTION') {
    if (functionName === null) throw badField('/functionName', 'required', 'is needed where a function is the source')
    await ctx
      .transact(inner => assertFunction(inner, projectId, functionName, qualifier))
      .catch(error => {
        if (error.status === 404) refuse(errors.noFunction, { name: functionName, qualifier })
        throw error
      })
    return { source, functionName, qualifier, url: null, ...rest }
  }
  if (url === null) throw badField('/url', 'required', 'is needed where a server is the source')
  if (!(await ctx.transact(isOrganisation))) refuse(errors.forOrganisations)
  if (urlProblem(url, isOpened(ctx.server)) !== null) refuse(errors.notHttps, { url: url.slice(0, 200) })
  try {
    await ctx.server.outbound.find(url)
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    refuse(errors.notPublic, { url: url.slice(0, 200), why: error.reason, problem: error.message })
  }
  return { source, functionName: null, qualifier: null, url, ...rest }
}

async function isOrganisation(ctx: Context): Promise<boolean> {
  const team = await teamNamed(ctx, ctx.teamId)
  return team !== null && isEnterpriseVerified(ctx, team.leaderAccountId)
}

async function loadPolicy(ctx: Context, policyId: string, lock = false): Promise<PolicyRow> {
  const isIt = and(eq(policies.policyId, policyId), eq(policies.teamId, ctx.teamId))
  const query = ctx.db.select().from(policies).where(isIt)
  const [row] = await (lock ? query.for('update') : query)
  if (!row) refuse(commonErrors.notFound, { entity: 'preload policy', id: policyId })
  ctx.assertScope({ projectId: row.projectId, appId: row.appId })
  return row
}

async function toPolicies(ctx: Context, rows: readonly PolicyRow[]) {
  await ctx.server.gathered.write(gatheredCounts)
  const ids = rows.map(row => row.policyId)
  const isToday = gte(preloadCounts.hourAt, ctx.now() - 24 * hourMs)
  const counted =
    ids.length === 0
      ? []
      : await ctx.db
          .select()
          .from(preloadCounts)
          .where(and(inArray(preloadCounts.policyId, ids), isToday))
  return rows.map(row => {
    const {
      hits,
      stale,
      misses,
      errors: failed,
      bytes,
      p95Ms,
    } = sums(counted.filter(one => one.policyId === row.policyId))
    const today = { requests: hits + stale + misses + failed, hits: hits + stale, errors: failed, bytes, p95Ms }
    return { ...row, today }
  })
}

async function toPolicy(ctx: Context, row: PolicyRow) {
  const [policy] = await toPolicies(ctx, [row])
  return policy as NonNullable<typeof policy>
}

type Told = Record<string, unknown> | null

function told(ctx: Context, what: string, { policyId }: PolicyRow, before: Told, after: Told): void {
  ctx.audit({ action: `preload_policy.${what}`, entity: 'preload_policy', entityId: policyId, before, after })
}
