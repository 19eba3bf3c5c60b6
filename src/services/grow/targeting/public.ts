import { and, eq, inArray } from 'drizzle-orm'
import { unitOf } from '../../../kernel/targeting/bucket.ts'
import { type CompiledRule, compile } from '../../../kernel/targeting/evaluate.ts'
import type { Rule } from '../../../kernel/targeting/rule.ts'
import type { Context } from '../../../server/context.ts'
import { previewUsers } from './audiences/preview.ts'
import { unitAttributes } from './rules.ts'
import { audiences } from './tables.ts'

/** Who is asked about: the first of `userId`, `targetingKey` and `deviceId` that the context has, as canonical text. */
export function unitAsked(attributes: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of unitAttributes) {
    const unit = Object.hasOwn(attributes, name) ? unitOf(attributes[name]) : undefined
    if (unit !== undefined) return unit
  }
  return undefined
}

/** Rules can name anything: what is no id is the id of nothing. */
const idsIn = (texts: readonly string[]) => texts.filter(text => /^[1-9][0-9]{0,17}$/.test(text))

const compiled = new Map<string, CompiledRule>()

function realTimeRule(key: string, rule: Rule): CompiledRule {
  const known = compiled.get(key)
  if (known) return known
  const made = compile(rule)
  if (compiled.size >= 1000) compiled.clear()
  compiled.set(key, made)
  return made
}

/**
 * In which of some audiences of a project the unit of a context is, for `EvaluationContext.isInAudience`: one query for all
 * of them, none where there are none. Audiences in real time are asked about the context itself; unknown ids have nobody.
 */
export async function audienceLookup(
  ctx: Context,
  projectId: string,
  asked: { audienceIds: readonly string[]; attributes: Readonly<Record<string, unknown>>; now: number },
): Promise<(audienceId: string) => boolean> {
  const ids = idsIn(asked.audienceIds)
  if (ids.length === 0) return () => false
  const { rows } = await ctx.transaction(ctx.zone).query<Found>({
    name: 'targeting audiences of unit',
    text: `SELECT a.audience_id::text AS "audienceId", a.revision,
        CASE WHEN a.refresh_every = 'realtime' THEN a.rule END AS rule,
        m.unit IS NOT NULL AS "isMember"
      FROM targeting_audiences a LEFT JOIN targeting_members m
        ON m.audience_id = a.audience_id AND m.unit = $3::text AND a.refresh_every <> 'realtime'
      WHERE a.project_id = $1 AND a.audience_id = ANY($2::bigint[])`,
    values: [projectId, ids, unitAsked(asked.attributes) ?? null],
  })
  const context = { attributes: asked.attributes, now: asked.now }
  const isIn = ({ audienceId, revision, rule, isMember }: Found) =>
    rule === null ? isMember : realTimeRule(`${audienceId}.${revision}`, rule).matches(context)
  const held = new Set(rows.filter(isIn).map(row => row.audienceId))
  return audienceId => held.has(audienceId)
}

interface Found {
  audienceId: string
  revision: number
  rule: Rule | null
  isMember: boolean
}

/** Those of some audiences that a project has; none that is held goes before the transaction ends. In the zone of the call. */
export async function audiencesKnown(
  ctx: Context,
  projectId: string,
  audienceIds: readonly string[],
  isHeld = false,
): Promise<ReadonlySet<string>> {
  const ids = idsIn(audienceIds)
  if (ids.length === 0) return new Set()
  const { audienceId } = audiences
  const found = ctx.db
    .select({ audienceId })
    .from(audiences)
    .where(and(eq(audiences.projectId, projectId), inArray(audienceId, ids)))
  const rows = await (isHeld ? found.for('key share') : found)
  return new Set(rows.map(row => row.audienceId))
}

/** Names what of a service asks for an audience. */
type Asker = (ctx: Context, projectId: string, audienceId: string) => Promise<string[]>

const askers = new Map<string, Asker>()

/** A service whose rules ask for audiences says so when it starts: what it names is not deleted under it. */
export function asksForAudiences(service: string, asker: Asker): void {
  askers.set(service, asker)
}

/** Everything of other services that asks for an audience. */
export async function askersOf(ctx: Context, projectId: string, audienceId: string): Promise<string[]> {
  const found: string[] = []
  for (const asker of askers.values()) found.push(...(await asker(ctx, projectId, audienceId)))
  return found
}

/** How many users of a project a rule would match, from the newest of them, with the bounds of 95 %. */
export const audienceEstimate = (
  ctx: Context,
  projectId: string,
  rule: Rule,
): Promise<{ total: number; estimate: number; low: number; high: number; isExact: boolean }> =>
  previewUsers(ctx, projectId, rule)
