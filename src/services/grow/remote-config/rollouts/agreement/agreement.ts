import { and, asc, eq, gte, inArray, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import { allowedActions } from '../../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../../server/context.ts'
import { approvalsNeeded } from '../../approvals.ts'
import { remoteConfigErrors as errors } from '../../contract.ts'
import { rcsRolloutChanges as changes, type rcsRollouts } from '../../tables.ts'
import { type AgreementFact, type RolloutFact, rolloutCycle } from '../rules.ts'

type RolloutRow = typeof rcsRollouts.$inferSelect
type ChangeRow = typeof changes.$inferSelect

/** What others are asked about a rollout, and who agreed since. */
export interface Agreement {
  /** How many others must agree before something of the project reaches apps. */
  needed: number
  /** Who asked, when and why; null where nothing is asked. */
  asking: ChangeRow | null
  agreed: readonly ChangeRow[]
}

/** Of rollouts of one project, in their order. */
export async function agreementsOf(ctx: Context, rows: readonly RolloutRow[]): Promise<Agreement[]> {
  const [first] = rows
  if (!first) return []
  const needed = await approvalsNeeded(ctx, first.projectId)
  const open = rows.filter(one => one.askedIn !== null)
  const since = open.map(one => and(eq(changes.rolloutId, one.rolloutId), gte(changes.changeId, one.askedIn as string)))
  const found =
    since.length === 0
      ? []
      : await ctx.db
          .select()
          .from(changes)
          .where(and(inArray(changes.action, ['askStart', 'askComplete', 'agree']), or(...since)))
          .orderBy(asc(changes.changeId))
  return rows.map(({ askedIn, rolloutId }) => ({
    needed,
    asking: found.find(one => one.changeId === askedIn) ?? null,
    agreed: found.filter(one => one.action === 'agree' && one.rolloutId === rolloutId),
  }))
}

export const agreementOf = async (ctx: Context, row: RolloutRow): Promise<Agreement> =>
  (await agreementsOf(ctx, [row]))[0] as Agreement

/** What holds of it for whoever acts. Who wrote the rollout, or asks, is not another. */
export function agreementFacts(
  ctx: Context,
  row: RolloutRow,
  { needed, asking, agreed }: Agreement,
  { hasReason }: { hasReason: boolean },
): Record<AgreementFact, boolean> {
  const { accountId } = ctx.caller
  const own = [row.createdBy, row.writtenBy, asking?.actorId]
  return {
    ...{ hasReason, isAsked: row.asked !== null, isUnasked: row.asked === null, needsOthers: needed > 0 },
    isFree: (row.asked === null ? 0 : agreed.length) >= needed || (hasReason && ctx.may('remoteConfig.force')),
    isOther: accountId !== null && !own.includes(accountId),
    isFirstTime: !agreed.some(one => one.actorId === accountId),
  }
}

/** Says what a move lacks. */
export function refuseUnmet(
  ctx: Context,
  { state, asked }: RolloutRow,
  { needed }: Agreement,
  facts: Readonly<Record<RolloutFact, boolean>>,
) {
  return (fact: RolloutFact): never => {
    if (fact === 'isFree') refuse(errors.othersMustAgree, { needed, permission: 'remoteConfig.force' })
    if (fact === 'isOther') refuse(errors.notOther)
    if (fact === 'isFirstTime') refuse(errors.votedAlready)
    if (fact === 'hasReason') refuse(errors.reasonMissing)
    if (fact === 'isUnasked') refuse(errors.othersAsked, { what: asked })
    const now = allowedActions(rolloutCycle, state, permission => ctx.may(permission), facts)
    return refuse(commonErrors.stateNotAllowed, { state, allowedActions: now, unmet: fact })
  }
}
