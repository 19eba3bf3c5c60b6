import { and, arrayOverlaps, eq, inArray, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions, moveFor } from '../../../../kernel/life-cycle.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { siteOfZone, type ZoneId } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { teamsFound } from '../../../ground/teams/public.ts'
import { appMoves } from '../tables.home.ts'
import { appTransfer as contract, type Move } from './contract.ts'
import { type MoveAction, moveCycle } from './rules.ts'

export type MoveRecord = typeof appMoves.$inferSelect

/** Moves that the caller's team sends or gets; people who reach only some apps see those that go with apps of theirs alone. */
export function ofMyTeam(ctx: Context) {
  const { apps } = ctx.scopeIds
  const own = or(eq(appMoves.fromTeamId, ctx.teamId), eq(appMoves.toTeamId, ctx.teamId))
  return apps === null ? own : and(own, arrayOverlaps(appMoves.appIds, apps.length > 0 ? apps : ['0']))
}

/** The move, where the caller's team is on one of its sides. Refuses 404. */
export async function loadMove(ctx: Context, moveId: string, lock?: 'update'): Promise<MoveRecord> {
  const query = ctx.home
    .select()
    .from(appMoves)
    .where(and(eq(appMoves.moveId, moveId), ctx.caller.kind === 'system' ? undefined : ofMyTeam(ctx)))
  const [row] = await (lock ? query.for(lock) : query)
  return row ?? refuse(commonErrors.notFound, { entity: 'app move', id: moveId })
}

/** Which of the apps are on their way already; nobody else begins to move them until this transaction ends. */
export async function holdForMove(ctx: Context, appIds: readonly string[]): Promise<string[]> {
  for (const appId of [...appIds].sort()) {
    await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(hashtextextended($1, 201))', [appId])
  }
  const rows = await ctx.home
    .select({ appIds: appMoves.appIds })
    .from(appMoves)
    .where(and(inArray(appMoves.state, ['WAIT_ACCEPT', 'EXECUTING']), arrayOverlaps(appMoves.appIds, [...appIds])))
  return rows.flatMap(row => row.appIds.filter(appId => appIds.includes(appId)))
}

/** Whether the caller stands where an action begins: the sender cancels, the receiver answers. */
function sideMay(ctx: Context, row: MoveRecord) {
  return (permission: string) => {
    if (permission === 'system') return ctx.caller.kind === 'system'
    const team = permission === 'sender' ? row.fromTeamId : row.toTeamId
    return ctx.place.teamId === team && ctx.may('apps.move') && ctx.memberScope === 'all'
  }
}

/** Moves a move by its life cycle and writes what comes with it; it must be locked. */
export async function settleMove(
  ctx: Context,
  row: MoveRecord,
  action: MoveAction,
  set: Partial<MoveRecord> = {},
): Promise<MoveRecord> {
  const may = sideMay(ctx, row)
  if (!moveFor(moveCycle, row.state, action, may)) {
    const allowed = allowedActions(moveCycle, row.state, may)
    refuse(contract.errors.notAnswerable, { state: row.state, allowedActions: allowed })
  }
  if (ctx.place.revision !== undefined && ctx.place.revision !== row.revision) {
    refuse(commonErrors.stale, { revision: row.revision })
  }
  const { moveId, fromTeamId, toTeamId, appIds, zone } = row
  await transition(ctx, {
    cycle: moveCycle,
    table: 'app_moves',
    idColumn: 'move_id',
    row: { id: moveId, state: row.state, revision: row.revision },
    action,
    isConsequence: true,
    data: { appIds, fromTeamId, toTeamId, zone },
    note: { appIds, fromTeamId, toTeamId },
    ...(ctx.place.teamId === null ? { teamId: fromTeamId } : {}),
    database: 'home',
  })
  const [moved] = await ctx.home
    .update(appMoves)
    .set({ updatedAt: ctx.now(), ...set })
    .where(eq(appMoves.moveId, moveId))
    .returning()
  return moved!
}

/** Moves as the caller stands to them, with the names of both teams. */
export async function toMoves(ctx: Context, rows: readonly MoveRecord[]): Promise<Static<typeof Move>[]> {
  const teamIds = [...new Set(rows.flatMap(row => [row.fromTeamId, row.toTeamId]))]
  const { list } = await ctx.transact(inner => teamsFound(inner, { teamIds, limit: teamIds.length + 1 }), 'all')
  const team = (teamId: string) => ({ teamId, name: list.find(one => one.teamId === teamId)?.name ?? teamId })
  return rows.map(row => {
    const isFrom = row.fromTeamId === ctx.teamId
    const isTo = row.toTeamId === ctx.teamId
    const names = new Map(row.apps.map(app => [app.appId, app.name]))
    return {
      ...row,
      side: isFrom && isTo ? ('BOTH' as const) : isFrom ? ('FROM' as const) : ('TO' as const),
      from: team(row.fromTeamId),
      to: team(row.toTeamId),
      toProjectId: isTo ? row.toProjectId : null,
      siteId: siteOfZone(row.zone as ZoneId),
      include: { testers: row.keepsTesters },
      blocks: [...names].flatMap(([appId, name]) => {
        const blocks = row.blocks.filter(one => one.appId === appId).map(one => one.block)
        return blocks.length > 0 ? [{ appId, name, blocks }] : []
      }),
      allowedActions: allowedActions(moveCycle, row.state, sideMay(ctx, row)),
    } as Static<typeof Move>
  })
}
