import { desc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { type PolicyWords, policyVersions } from '../tables.home.ts'
import type { ReviewIssue } from '../tables.ts'
import { firstPolicies } from './built-in.data.ts'
import { reviewPolicies as contract, policyLimits } from './contract.ts'

export interface PolicyVersion {
  policyId: string
  version: number
  titles: PolicyWords
  texts: PolicyWords
  isRetired: boolean
  publishedAt: number | null
  publishedBy: string | null
}

const builtIn: readonly PolicyVersion[] = firstPolicies.map(policy => ({
  ...policy,
  version: 1,
  isRetired: false,
  publishedAt: null,
  publishedBy: null,
}))

/** Each rule in the version that counts now, by its number. */
export async function policiesNow(ctx: Context): Promise<PolicyVersion[]> {
  const newest = await ctx.home
    .selectDistinctOn([policyVersions.policyId])
    .from(policyVersions)
    .orderBy(policyVersions.policyId, desc(policyVersions.version))
  const byId = new Map([...builtIn, ...newest].map(policy => [policy.policyId, policy]))
  return [...byId.values()].sort((a, b) => order(a.policyId) - order(b.policyId))
}

function order(policyId: string): number {
  const [chapter = 0, clause = 0] = policyId.split('.').map(Number)
  return chapter * 100 + clause
}

/** Every version of one rule, the newest first. Refuses 404. */
export async function versionsOfPolicy(ctx: Context, policyId: string): Promise<PolicyVersion[]> {
  const rows = await ctx.home
    .select()
    .from(policyVersions)
    .where(eq(policyVersions.policyId, policyId))
    .orderBy(desc(policyVersions.version))
  const all = [...rows, ...builtIn.filter(one => one.policyId === policyId)]
  if (all.length === 0) refuse(commonErrors.notFound, { entity: 'policy', id: policyId })
  return all
}

/** With who published each by name. */
export async function named(ctx: Context, policies: readonly PolicyVersion[]): Promise<PolicyVersion[]> {
  const ids = new Set(policies.flatMap(one => one.publishedBy ?? []))
  const people = new Map((await accountsOf(ctx, [...ids])).map(one => [one.accountId, one.name]))
  return policies.map(one => ({ ...one, publishedBy: people.get(one.publishedBy ?? '') ?? null }))
}

interface NewVersion {
  policyId: string
  titles: PolicyWords
  texts: PolicyWords
  isRetired?: boolean
  after: number
}

/** Puts the next version behind the newest; of two who do so at once one is told. */
export async function publish(ctx: Context, { after, ...wish }: NewVersion): Promise<PolicyVersion> {
  const now = (await policiesNow(ctx)).find(one => one.policyId === wish.policyId)
  const newest = now?.version ?? 0
  if (newest !== after) refuse(contract.errors.policyChanged, { policyId: wish.policyId, version: newest })
  if (newest >= policyLimits.versions) refuse(contract.errors.policyFull, { limit: policyLimits.versions })
  const [row] = await ctx.home
    .insert(policyVersions)
    .values({
      ...wish,
      isRetired: wish.isRetired ?? false,
      version: newest + 1,
      publishedBy: ctx.accountId,
      publishedAt: ctx.now(),
    })
    .onConflictDoNothing()
    .returning()
  if (!row) refuse(contract.errors.policyChanged, { policyId: wish.policyId, version: newest + 1 })
  ctx.audit(
    {
      action: 'review.publishPolicy',
      entity: 'policy',
      entityId: row.policyId,
      before: now ? { ...now } : null,
      after: { ...row },
    },
    'home',
  )
  return row
}

/** Issues with the clause they name, as it reads now. Refuses a rule that is not in the list, naming the field. */
export async function withClauses(ctx: Context, issues: readonly ReviewIssue[]): Promise<ReviewIssue[]> {
  if (issues.length === 0) return []
  const known = new Map((await policiesNow(ctx)).map(policy => [policy.policyId, policy]))
  return issues.map((issue, index) => {
    const policy = known.get(issue.policyId)
    if (!policy || policy.isRetired) {
      throw badField(`/issues/${index}/policyId`, 'policy', 'is not in the list of policies')
    }
    return { ...issue, policyVersion: policy.version, clause: policy.titles }
  })
}
