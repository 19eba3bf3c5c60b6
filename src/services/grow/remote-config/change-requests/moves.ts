import { and, asc, eq, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { projectOf } from '../../../ground/projects/public.ts'
import { accountsOf } from '../../../ground/session/public.ts'
import { approvalsNeeded } from '../approvals.ts'
import { remoteConfigErrors as errors } from '../contract.ts'
import { rcsTemplates, rcsVotes, rcsChangeRequests as requests } from '../tables.ts'
import type { ChangeRequestView } from './contract.ts'
import { approvalsIn, type ChangeFact, type changeActions, changeCycle } from './rules.ts'

export type ChangeRow = Omit<typeof requests.$inferSelect, 'content' | 'baseDigest'>
type VoteRow = typeof rcsVotes.$inferSelect
type Action = (typeof changeActions)[number] | 'overtake'

/** The columns that a list needs: what is asked for may be large. */
export const heads = {
  changeRequestId: requests.changeRequestId,
  projectId: requests.projectId,
  kind: requests.kind,
  teamId: requests.teamId,
  state: requests.state,
  title: requests.title,
  description: requests.description,
  baseVersion: requests.baseVersion,
  publishedVersion: requests.publishedVersion,
  round: requests.round,
  dueAt: requests.dueAt,
  createdAt: requests.createdAt,
  createdBy: requests.createdBy,
  writtenBy: requests.writtenBy,
  updatedAt: requests.updatedAt,
  revision: requests.revision,
}

/** A request of the team, whose project the caller must reach; held until the transaction ends. */
export async function lockRequest(ctx: Context, changeRequestId: string) {
  const [row] = await ctx.db.select().from(requests).where(ofRequest(ctx, changeRequestId)).for('update')
  return reached(ctx, row, changeRequestId)
}

export async function requestOf(ctx: Context, changeRequestId: string) {
  const [row] = await ctx.db.select().from(requests).where(ofRequest(ctx, changeRequestId))
  return reached(ctx, row, changeRequestId)
}

const ofRequest = (ctx: Context, changeRequestId: string) =>
  and(eq(requests.changeRequestId, changeRequestId), eq(requests.teamId, ctx.teamId))

async function reached<T extends ChangeRow>(ctx: Context, row: T | undefined, id: string): Promise<T> {
  if (!row) refuse(commonErrors.notFound, { entity: 'changeRequest', id })
  await projectOf(ctx, row.projectId)
  return row
}

const votesOf = (ctx: Context, ids: readonly string[]): Promise<VoteRow[]> =>
  ctx.db
    .select()
    .from(rcsVotes)
    .where(inArray(rcsVotes.changeRequestId, [...ids]))
    .orderBy(asc(rcsVotes.voteId))

/** What holds for whoever asks. `more` says what the call itself brought. */
function factsOf(
  ctx: Context,
  row: ChangeRow,
  votes: readonly VoteRow[],
  needed: number,
  more: { hasReason: boolean; isAhead: boolean; vote?: 1 },
): Record<ChangeFact, boolean> {
  const { accountId } = ctx.caller
  const ofRound = votes.filter(one => one.round === row.round)
  return {
    ...more,
    isOther: accountId !== null && accountId !== row.createdBy && accountId !== row.writtenBy,
    isFirstTime: !ofRound.some(one => one.votedBy === accountId),
    isEnough: approvalsIn(ofRound, row.round) + (more.vote ?? 0) >= needed,
  }
}

interface MoveWish {
  action: Action
  reason?: string
  isAhead?: boolean
  data?: Record<string, unknown>
  isConsequence?: true
}

/** Makes one move under the lock of the row; answers its new state and revision. */
export async function move(ctx: Context, row: ChangeRow, wish: MoveWish): Promise<ChangeRow> {
  const { action, reason = '' } = wish
  const votes = await votesOf(ctx, [row.changeRequestId])
  const needed = await approvalsNeeded(ctx, row.projectId)
  const own = { hasReason: reason.trim() !== '', isAhead: wish.isAhead === true }
  // A round that begins has no votes yet.
  const counted = action === 'submit' ? [] : votes
  const facts = factsOf(ctx, row, counted, needed, { ...own, ...(action === 'approve' && { vote: 1 as const }) })
  const { state, revision } = await transition(ctx, {
    cycle: changeCycle,
    table: 'rcs_change_requests',
    idColumn: 'change_request_id',
    row: { id: row.changeRequestId, state: row.state, revision: row.revision },
    action,
    facts,
    unmet: fact => unmet(fact, approvalsIn(counted, row.round), needed),
    data: {
      ...{ projectId: row.projectId, kind: row.kind, title: row.title, createdBy: row.createdBy, round: row.round },
      ...(reason !== '' && { reason }),
      ...wish.data,
    },
    ...(reason !== '' && { note: { reason } }),
    teamId: row.teamId,
    ...(wish.isConsequence && { isConsequence: true as const }),
  })
  return { ...row, state: state ?? row.state, revision, updatedAt: ctx.now() }
}

function unmet(fact: ChangeFact, approvals: number, needed: number): never {
  if (fact === 'isOther') refuse(errors.notOther)
  if (fact === 'isFirstTime') refuse(errors.votedAlready)
  if (fact === 'hasReason') refuse(errors.reasonMissing)
  if (fact === 'isAhead') refuse(errors.tooEarly, { at: 'that' })
  return refuse(errors.notEnough, { approvals, needed })
}

/** Requests as they are answered, with who did what and what the caller can do. */
export async function viewsOf(ctx: Context, rows: readonly ChangeRow[]): Promise<ChangeRequestView[]> {
  const [first] = rows
  if (!first) return []
  const votes = await votesOf(
    ctx,
    rows.map(one => one.changeRequestId),
  )
  const needed = await approvalsNeeded(ctx, first.projectId)
  const [template] = await ctx.db
    .select({ version: rcsTemplates.version })
    .from(rcsTemplates)
    .where(and(eq(rcsTemplates.projectId, first.projectId), eq(rcsTemplates.kind, first.kind)))
  const people = [...rows.map(one => one.createdBy), ...votes.map(one => one.votedBy)]
  const accounts = await accountsOf(ctx, [...new Set(people.filter(one => one !== null))])
  const names = new Map(accounts.map(one => [one.accountId, one.name]))
  const person = (accountId: string | null) => {
    const name = accountId === null ? undefined : names.get(accountId)
    return accountId === null || name === undefined ? null : { accountId, name }
  }
  return rows.map(row => {
    const own = votes.filter(one => one.changeRequestId === row.changeRequestId)
    const facts = factsOf(ctx, row, own, needed, { hasReason: true, isAhead: true })
    const actions = allowedActions(changeCycle, row.state, permission => ctx.may(permission), facts)
    return {
      ...row,
      version: template?.version ?? 0,
      approvals: approvalsIn(own, row.round),
      approvalsNeeded: needed,
      votes: own.map(({ votedBy, ...one }) => ({ ...one, by: person(votedBy) })),
      createdBy: person(row.createdBy),
      allowedActions: actions.filter(
        one => one !== 'overtake' && (one !== 'unschedule' || row.dueAt !== null),
      ) as never,
    }
  })
}

export const viewOf = async (ctx: Context, row: ChangeRow): Promise<ChangeRequestView> =>
  (await viewsOf(ctx, [row]))[0] as ChangeRequestView
