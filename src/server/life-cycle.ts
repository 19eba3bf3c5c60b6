import { commonErrors, refuse } from '../kernel/errors.ts'
import { allowedActions, type LifeCycle, type Move, moveFor } from '../kernel/life-cycle.ts'
import type { Context } from './context.ts'
import type { DatabaseName } from './database/pools.ts'

/** A row under a life cycle, as the table names it. */
export interface LivingRow<State extends string> {
  id: string
  state: State
  revision: number
}

export interface Transition<S extends string, A extends string, F extends string> {
  cycle: LifeCycle<S, A, F>
  /** Table and id column in the database, for the conditional update. */
  table: string
  idColumn: string
  row: LivingRow<S>
  action: A
  facts?: Readonly<Record<F, boolean>>
  /** What to say when a need does not hold. */
  unmet?: (fact: F) => never
  /** What the event carries besides `from` and `to`. */
  data?: Record<string, unknown>
  /** What the audit row tells besides the new state: a reason, the fields that changed. */
  note?: Record<string, unknown>
  /** The owner where it is not the team of the call: staff and workers act for no team. */
  teamId?: string
  /** The move follows from another that the caller was allowed: neither his right nor the revision he sent is asked. */
  isConsequence?: boolean
  database?: DatabaseName
}

/**
 * Moves a row: checks right, state and needs, then changes it with one conditional update, so that of two racing callers
 * exactly one wins. Writes the audit row and the event in the same transaction. Returns the new state and revision; a
 * state of null means the row is to be deleted by the caller. Refuses 403, 409 (stale) or 422 (with the allowed actions).
 */
export async function transition<S extends string, A extends string, F extends string>(
  ctx: Context,
  wanted: Transition<S, A, F>,
): Promise<{ state: S | null; revision: number; move: Move<S, A, F> }> {
  const { cycle, row, action } = wanted
  const move = findMove(ctx, wanted)
  const isSentRevision = ctx.place.revision !== undefined && ctx.caller.kind === 'user' && !wanted.isConsequence
  if (isSentRevision && ctx.place.revision !== row.revision) {
    refuse(commonErrors.stale, { revision: row.revision })
  }
  const facts = wanted.facts ?? ({} as Record<F, boolean>)
  const missing = move.needs?.find(fact => !facts[fact])
  if (missing !== undefined) {
    wanted.unmet?.(missing)
    refuse(commonErrors.stateNotAllowed, { state: row.state, allowedActions: allowedNow(ctx, wanted), unmet: missing })
  }
  const to = typeof move.to === 'function' ? move.to(facts) : move.to
  const database = wanted.database ?? ctx.zone
  const result = await ctx.transaction(database).query<{ revision: number }>({
    text: `UPDATE ${wanted.table} SET state = $1, revision = revision + 1, updated_at = $2
      WHERE ${wanted.idColumn} = $3 AND state = $4 AND revision = $5 RETURNING revision`,
    values: [to ?? row.state, ctx.now(), row.id, row.state, row.revision],
  })
  const moved = result.rows[0]
  const owner = wanted.teamId === undefined ? {} : { teamId: wanted.teamId }
  if (!moved) refuse(commonErrors.stale, { revision: row.revision + 1 })
  ctx.audit(
    {
      action: `${cycle.entity}.${action}`,
      entity: cycle.entity,
      entityId: row.id,
      before: { state: row.state },
      after: { state: to, ...wanted.note },
      ...owner,
    },
    database,
  )
  ctx.emit(
    {
      type: move.event,
      entity: cycle.entity,
      entityId: row.id,
      data: { from: row.state, to, ...wanted.data },
      ...owner,
    },
    database,
  )
  return { state: to, revision: moved.revision, move }
}

function findMove<S extends string, A extends string, F extends string>(
  ctx: Context,
  wanted: Transition<S, A, F>,
): Move<S, A, F> {
  const { cycle, row, action } = wanted
  const move = moveFor(cycle, row.state, action, permission => wanted.isConsequence || ctx.may(permission))
  if (move) return move
  const other = moveFor(cycle, row.state, action, () => true)
  if (other && other.may !== 'system') refuse(commonErrors.notAllowed, { permission: other.may })
  refuse(commonErrors.stateNotAllowed, { state: row.state, allowedActions: allowedNow(ctx, wanted) })
}

function allowedNow<S extends string, A extends string, F extends string>(
  ctx: Context,
  wanted: Transition<S, A, F>,
): A[] {
  return allowedActions(wanted.cycle, wanted.row.state, permission => ctx.may(permission), wanted.facts)
}
