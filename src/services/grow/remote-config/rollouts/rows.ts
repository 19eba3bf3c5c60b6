import { and, count, desc, eq, ilike, lt, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import { wordsOf } from '../../../../kernel/ramp/finding-words.ts'
import { rampFacts, rampPercent } from '../../../../kernel/ramp/ramp.ts'
import type { Context } from '../../../../server/context.ts'
import { projectOf } from '../../../ground/projects/public.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import type { Where } from '../drafts.ts'
import { rcsRolloutChanges, rcsRollouts as rows } from '../tables.ts'
import { type Agreement, agreementFacts, agreementsOf } from './agreement/agreement.ts'
import type { RolloutChangeView, RolloutView } from './contract.ts'
import type { RolloutRow } from './moves.ts'
import { isWaiting, type RolloutState, rolloutCycle } from './rules.ts'

/** A rollout of the team, whose project the caller must reach. Refuses 404; held where it is to be changed. */
export async function loadRollout(ctx: Context, rolloutId: string, isHeld = false): Promise<RolloutRow> {
  const found = ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.rolloutId, rolloutId), eq(rows.teamId, ctx.teamId)))
  const [row] = await (isHeld ? found.for('update') : found)
  if (!row) refuse(commonErrors.notFound, { entity: 'rollout', id: rolloutId })
  await projectOf(ctx, row.projectId)
  return row
}

/** The same for a write: refuses what was read before somebody else's. */
export async function loadToMove(ctx: Context, rolloutId: string, revision: number): Promise<RolloutRow> {
  const row = await loadRollout(ctx, rolloutId, true)
  if (row.revision !== revision) refuse(commonErrors.stale, { revision: row.revision })
  return row
}

interface Filter {
  search?: string
  state?: RolloutState
  cursor?: string
  pageSize?: number
}

const isCursor = (cursor: string | undefined): cursor is string => /^[1-9]\d{0,18}$/.test(cursor ?? '')

export async function listRollouts(ctx: Context, { projectId, kind }: Where, filter: Filter) {
  const like = `%${(filter.search?.trim() ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const wanted = and(
    ...[eq(rows.projectId, projectId), eq(rows.kind, kind)],
    filter.state ? eq(rows.state, filter.state) : undefined,
    like === '%%' ? undefined : or(ilike(rows.name, like), ilike(rows.parameter, like)),
  )
  const pageSize = filter.pageSize ?? 20
  const list = await ctx.db
    .select()
    .from(rows)
    .where(and(wanted, isCursor(filter.cursor) ? lt(rows.rolloutId, filter.cursor) : undefined))
    .orderBy(desc(rows.rolloutId))
    .limit(pageSize)
  const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
  const nextCursor = list.length === pageSize ? (list.at(-1)?.rolloutId ?? null) : null
  return { total: counted?.total ?? 0, list: await viewsOf(ctx, list), nextCursor }
}

async function peopleIn(ctx: Context, ids: readonly (string | null)[]) {
  const accounts = await accountsOf(ctx, [...new Set(ids.filter(one => one !== null))])
  const names = new Map(accounts.map(one => [one.accountId, one.name]))
  return (accountId: string | null) => {
    const name = accountId === null ? undefined : names.get(accountId)
    return accountId === null || name === undefined ? null : { accountId, name }
  }
}

async function viewsOf(ctx: Context, found: readonly RolloutRow[]): Promise<RolloutView[]> {
  const agreements = await agreementsOf(ctx, found)
  const people = agreements.flatMap(({ asking, agreed }) => [asking, ...agreed].map(one => one?.actorId ?? null))
  const person = await peopleIn(ctx, [...found.map(one => one.createdBy), ...people])
  return found.map((row, at) => {
    const agreement = agreements[at] as Agreement
    const ofRamp = { ...rampFacts(row), isAhead: false, isDone: false }
    const facts = { ...ofRamp, ...agreementFacts(ctx, row, agreement, { hasReason: true }) }
    return {
      ...row,
      percent: rampPercent(row),
      waitsForApproval: isWaiting(row),
      isLooking: row.lookJobId !== null,
      createdBy: person(row.createdBy),
      approvalsNeeded: agreement.needed,
      asked: askedOf(row, agreement, person),
      allowedActions: allowedActions(rolloutCycle, row.state, permission => ctx.may(permission), facts),
    }
  })
}

type Named = Awaited<ReturnType<typeof peopleIn>>

function askedOf(row: RolloutRow, { asking, agreed }: Agreement, person: Named): RolloutView['asked'] {
  if (row.asked === null || asking === null) return null
  const said = ({ at, reason, actorId }: typeof asking) => ({ at, reason, by: person(actorId) })
  return { action: row.asked, ...said(asking), agreed: agreed.map(said) }
}

export const viewOf = async (ctx: Context, row: RolloutRow): Promise<RolloutView> =>
  (await viewsOf(ctx, [row]))[0] as RolloutView

export async function listChanges(ctx: Context, rolloutId: string, query: { cursor?: string; pageSize?: number }) {
  const changes = rcsRolloutChanges
  const ofRollout = eq(changes.rolloutId, rolloutId)
  const pageSize = query.pageSize ?? 20
  const list = await ctx.db
    .select()
    .from(changes)
    .where(and(ofRollout, isCursor(query.cursor) ? lt(changes.changeId, query.cursor) : undefined))
    .orderBy(desc(changes.changeId))
    .limit(pageSize)
  const person = await peopleIn(
    ctx,
    list.map(one => one.actorId),
  )
  return {
    total: await ctx.db.$count(changes, ofRollout),
    list: list.map(
      ({ actorId, finding, ...one }): RolloutChangeView => ({
        ...{ ...one, by: person(actorId) },
        found: finding && wordsOf(finding),
      }),
    ),
    nextCursor: list.length === pageSize ? (list.at(-1)?.changeId ?? null) : null,
  }
}
