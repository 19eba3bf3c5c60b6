import { setTimeout } from 'node:timers/promises'
import { and, eq, gte, inArray, lte } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { giveRows, type Handing, handOverHome, handOverZone } from '../../../../server/handover.ts'
import type { JobRun } from '../../../../server/work.ts'
import { appMoves } from '../tables.home.ts'
import { apps } from '../tables.ts'
import { checkApps } from './checking.ts'
import { loadMove, type MoveRecord, settleMove } from './moves.ts'
import { moveLimits } from './rules.ts'

export const moveKind = 'apps.move'

/** Begins to hand over; the rows of one database go at once, the zone's first. */
export async function startMove(ctx: Context, row: MoveRecord): Promise<MoveRecord> {
  const { moveId } = row
  const jobId = ctx.startJob({ kind: moveKind, subject: moveId, input: { moveId }, deadlineMs: moveLimits.jobMs })
  const [started] = await ctx.home.update(appMoves).set({ jobId }).where(eq(appMoves.moveId, moveId)).returning()
  return started!
}

function handingOf(row: MoveRecord): Handing {
  const { moveId, appIds, fromTeamId, toTeamId, toProjectId, keepsTesters } = row
  return { moveId, appIds, fromTeamId, toTeamId, toProjectId: toProjectId ?? '0', keepsTesters }
}

/** Whose the apps are is what the zone says; the home database follows, however often this is begun anew. */
export async function runMove(ctx: Context, job: JobRun): Promise<void> {
  const row = await moveToRun(ctx, String(job.input['moveId']))
  if (!row) return
  await job.progress('check', 10)
  const hasGone = await ctx.transact(inner => handOverInZone(inner, row), 'all')
  if (!hasGone) return
  await job.progress('index', 70)
  await finishMove(ctx, row)
}

/** After the last attempt: what had not gone stays, what had is left to the sweep. */
export async function giveUpMove(ctx: Context, job: JobRun): Promise<void> {
  const row = await readMove(ctx, String(job.input['moveId']))
  if (row?.state !== 'EXECUTING') return
  const gone = await ctx.transact(inner => areThere(inner, row), 'all')
  if (!gone) await failMove(ctx, row, [])
}

async function readMove(ctx: Context, moveId: string): Promise<MoveRecord | undefined> {
  const [row] = await ctx.transact(
    inner => inner.home.select().from(appMoves).where(eq(appMoves.moveId, moveId)),
    'all',
  )
  return row
}

/** The move to carry out, or null when it is over. The zone, where the job stands, commits a moment before home. */
async function moveToRun(ctx: Context, moveId: string): Promise<MoveRecord | null> {
  for (let tries = 0; tries < 30; tries++) {
    const row = await readMove(ctx, moveId)
    if (row && row.state !== 'WAIT_ACCEPT') return row.state === 'EXECUTING' ? row : null
    await setTimeout(100)
  }
  throw new Error('the move is not accepted')
}

async function areThere(ctx: Context, { appIds, toTeamId, toProjectId }: MoveRecord): Promise<boolean> {
  const rows = await ctx.db
    .select({ teamId: apps.teamId, projectId: apps.projectId })
    .from(apps)
    .where(inArray(apps.appId, appIds))
    .orderBy(apps.appId)
    .for('update')
  return rows.every(row => row.teamId === toTeamId && row.projectId === toProjectId)
}

/** True when the apps are with the other team now, or were already. All of them go, or none. */
async function handOverInZone(ctx: Context, row: MoveRecord): Promise<boolean> {
  if (await areThere(ctx, row)) return true
  const { moveId, appIds, fromTeamId, toTeamId, toProjectId } = row
  const found = await ctx.db.select().from(apps).where(inArray(apps.appId, appIds))
  const own = found.filter(app => app.teamId === fromTeamId && app.state !== 'DELETED')
  const blocks = (await checkApps(ctx, own, { isWithin: fromTeamId === toTeamId })).flatMap(one =>
    one.blocks.map(block => ({ appId: one.appId, block })),
  )
  const lost = appIds.filter(appId => !own.some(app => app.appId === appId))
  if (blocks.length > 0 || lost.length > 0) {
    await failMove(ctx, row, blocks)
    return false
  }
  await handOverZone(ctx, handingOf(row))
  for (const appId of appIds) {
    const data = { moveId, fromTeamId, toTeamId, projectId: toProjectId }
    for (const teamId of new Set([fromTeamId, toTeamId])) {
      ctx.audit({ action: 'app.move', entity: 'app', entityId: appId, after: data, teamId })
    }
    ctx.emit({ type: 'app.moved', entity: 'app', entityId: appId, data, teamId: toTeamId })
  }
  return true
}

/** The rows of the home database, and the end. */
async function finishMove(ctx: Context, row: MoveRecord): Promise<void> {
  await ctx.transact(async inner => {
    const open = await loadMove(inner, row.moveId, 'update')
    if (open.state !== 'EXECUTING') return
    await handOverHome(inner, handingOf(row))
    await settleMove(inner, open, 'finish', { finishedAt: inner.now() })
    const { appIds, fromTeamId, toTeamId, zone } = row
    if (fromTeamId === toTeamId) return
    const said = { type: 'app.move.received', entity: 'app_move', entityId: row.moveId, teamId: toTeamId }
    inner.emit({ ...said, data: { appIds, fromTeamId, toTeamId, zone } }, 'home')
  }, 'all')
}

async function failMove(ctx: Context, row: MoveRecord, blocks: MoveRecord['blocks']): Promise<void> {
  await ctx.transact(async inner => {
    const open = await loadMove(inner, row.moveId, 'update')
    if (open.state === 'EXECUTING') await settleMove(inner, open, 'fail', { blocks, finishedAt: inner.now() })
  }, 'all')
}

/** Ends what nobody answered, and goes on with what a process left in the middle. */
export async function sweepMoves(ctx: Context): Promise<void> {
  const now = ctx.now()
  const late = await ctx.home
    .select()
    .from(appMoves)
    .where(and(eq(appMoves.state, 'WAIT_ACCEPT'), lte(appMoves.expiresAt, now)))
    .limit(100)
    .for('update', { skipLocked: true })
  for (const row of late) await settleMove(ctx, row, 'expire', { finishedAt: now })
  const stuck = await ctx.home
    .select()
    .from(appMoves)
    .where(and(eq(appMoves.state, 'EXECUTING'), lte(appMoves.updatedAt, now - moveLimits.jobMs)))
    .limit(20)
  for (const row of stuck) {
    if (ctx.server.config.zones.includes(row.zone as ZoneId)) await goOn(ctx, row)
  }
}

async function goOn(ctx: Context, row: MoveRecord): Promise<void> {
  const system = systemContext(ctx.server, row.zone as ZoneId, { name: 'apps: move' })
  const gone = await system.transact(inner => areThere(inner, row), 'all')
  await (gone ? finishMove(system, row) : failMove(system, row, []))
}

/** What was written for the old team while the apps went: counts that devices had sent a moment before. */
export async function gatherMoves(ctx: Context): Promise<void> {
  const now = ctx.now()
  const done = await ctx.home
    .select()
    .from(appMoves)
    .where(
      and(eq(appMoves.state, 'DONE'), eq(appMoves.zone, ctx.zone), gte(appMoves.finishedAt, now - moveLimits.settleMs)),
    )
  for (const row of done) await giveRows(ctx, ctx.zone, handingOf(row))
}
