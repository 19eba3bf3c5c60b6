import { and, desc, eq, lt, ne } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { siteOfZone, type ZoneId } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { isFeatureOn } from '../../../ground/menu/public.ts'
import { projectOf, projectsOf } from '../../../ground/projects/public.ts'
import { assertRecentAuthentication } from '../../../ground/session/public.ts'
import { isRealNameVerified } from '../../../ground/session/real-names/public.ts'
import { teamNamed } from '../../../ground/teams/public.ts'
import type { AppRecord } from '../queries.ts'
import { limits } from '../rules.ts'
import { appMoves } from '../tables.home.ts'
import { apps } from '../tables.ts'
import { appsToMove, checkApps, mustBeFree } from './checking.ts'
import { appTransfer as contract } from './contract.ts'
import { startMove } from './job.ts'
import { holdForMove, loadMove, type MoveRecord, ofMyTeam, settleMove, toMoves } from './moves.ts'
import { moveLimits } from './rules.ts'

const { errors } = contract

export default implement(contract, {
  checkAppMove: async (ctx, { body }) => {
    const rows = await appsToMove(ctx, body.appIds)
    const target = body.toProjectId === undefined ? undefined : await targetOf(ctx, body.toProjectId)
    const moving = await holdForMove(ctx, body.appIds)
    const list = await checkApps(ctx, rows, { moving, ...(target === undefined ? {} : { target, isWithin: true }) })
    return { canMove: list.every(one => one.blocks.length === 0), list }
  },

  createMove: async (ctx, { body }) => {
    ctx.assertScope({})
    const rows = await appsToMove(ctx, body.appIds, 'update')
    await assertRecentAuthentication(ctx)
    if (body.toTeamId === ctx.teamId) refuse(errors.sameTeam)
    const to = await ctx.transact(inner => teamNamed(inner, body.toTeamId), 'all')
    if (!to) refuse(commonErrors.notFound, { entity: 'team', id: body.toTeamId })
    mustBeFree(await checkApps(ctx, rows, { moving: await holdForMove(ctx, body.appIds) }))
    const open = and(eq(appMoves.fromTeamId, ctx.teamId), eq(appMoves.state, 'WAIT_ACCEPT'))
    const limit = moveLimits.openOfTeam
    if ((await ctx.home.$count(appMoves, open)) >= limit) refuse(errors.tooManyMoves, { limit })
    const row = await insertMove(ctx, rows, {
      toTeamId: to.teamId,
      toProjectId: null,
      keepsTesters: body.include?.testers ?? true,
      note: body.note ?? '',
      state: 'WAIT_ACCEPT',
    })
    return one(ctx, row)
  },

  moveToProject: async (ctx, { body }) => {
    const rows = await appsToMove(ctx, body.appIds, 'update')
    const target = await targetOf(ctx, body.toProjectId)
    if (target === null) await projectOf(ctx, body.toProjectId)
    mustBeFree(await checkApps(ctx, rows, { target, isWithin: true, moving: await holdForMove(ctx, body.appIds) }))
    const row = await insertMove(ctx, rows, {
      toTeamId: ctx.teamId,
      toProjectId: body.toProjectId,
      keepsTesters: true,
      note: '',
      state: 'EXECUTING',
    })
    return one(ctx, await startMove(ctx, row))
  },

  listMoves: async (ctx, { query }) => {
    const side = query.side && { FROM: appMoves.fromTeamId, TO: appMoves.toTeamId }[query.side]
    const matching = and(
      ofMyTeam(ctx),
      side && eq(side, ctx.teamId),
      query.state === undefined ? undefined : eq(appMoves.state, query.state),
    )
    const pageSize = query.pageSize ?? 20
    const isCursor = /^[0-9]{1,19}$/.test(query.cursor ?? '')
    const rows = await ctx.home
      .select()
      .from(appMoves)
      .where(and(matching, isCursor ? lt(appMoves.moveId, query.cursor as string) : undefined))
      .orderBy(desc(appMoves.moveId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(appMoves, matching),
      list: await toMoves(ctx, page),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.moveId ?? null) : null,
    }
  },

  getMove: async (ctx, { query }) => one(ctx, await loadMove(ctx, query.moveId)),

  acceptMove: async (ctx, { body }) => {
    ctx.assertScope({})
    const row = await loadMove(ctx, body.moveId, 'update')
    const siteId = siteOfZone(row.zone as ZoneId)
    if (row.zone !== ctx.zone) refuse(errors.otherZone, { siteId })
    await assertRecentAuthentication(ctx)
    const project = await projectOf(ctx, body.toProjectId)
    if (project.zone !== row.zone || project.isDemo) refuse(errors.projectOfOther, { siteId })
    await mustTakeMore(ctx, row.appIds.length)
    if (!(await isFeatureOn(ctx, 'unrealNameSwitch')) && !(await isRealNameVerified(ctx, ctx.accountId))) {
      refuse(errors.realNameNeeded)
    }
    const { toProjectId } = body
    const accepted = await settleMove(ctx, row, 'accept', { toProjectId, answeredBy: ctx.accountId })
    return one(ctx, await startMove(ctx, accepted))
  },

  refuseMove: async (ctx, { body }) => {
    const row = await loadMove(ctx, body.moveId, 'update')
    const now = ctx.now()
    return one(ctx, await settleMove(ctx, row, 'refuse', { answeredBy: ctx.accountId, finishedAt: now }))
  },

  cancelMove: async (ctx, { body }) => {
    const row = await loadMove(ctx, body.moveId, 'update')
    return one(ctx, await settleMove(ctx, row, 'cancel', { finishedAt: ctx.now() }))
  },
})

async function one(ctx: Context, row: MoveRecord) {
  return (await toMoves(ctx, [row]))[0]!
}

async function targetOf(ctx: Context, toProjectId: string) {
  const [project] = await projectsOf(ctx, [toProjectId])
  return project && !project.isDemo ? { projectId: project.projectId, isSameZone: project.zone === ctx.zone } : null
}

async function mustTakeMore(ctx: Context, more: number): Promise<void> {
  const alive = and(eq(apps.teamId, ctx.teamId), ne(apps.state, 'DELETED'))
  const count = await ctx.db.$count(apps, alive)
  const limit = limits.appsOfTeam
  if (count + more > limit) refuse(errors.tooManyApps, { limit, apps: count })
}

type Wish = Pick<MoveRecord, 'toTeamId' | 'toProjectId' | 'keepsTesters' | 'note' | 'state'>

async function insertMove(ctx: Context, rows: readonly AppRecord[], wish: Wish): Promise<MoveRecord> {
  const now = ctx.now()
  const moveId = ctx.newId()
  const appIds = rows.map(app => app.appId)
  const [row] = await ctx.home
    .insert(appMoves)
    .values({
      ...wish,
      moveId,
      fromTeamId: ctx.teamId,
      zone: ctx.zone,
      appIds,
      apps: rows.map(({ appId, name, packageName, packageType, shelf }) => ({
        appId,
        name,
        packageName,
        packageType,
        isOnShelf: shelf !== null,
      })),
      expiresAt: now + moveLimits.waitMs,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  const { toTeamId, toProjectId } = wish
  const said = { entity: 'app_move', entityId: moveId }
  ctx.audit({ action: 'app_move.create', ...said, after: { appIds, toTeamId, toProjectId } }, 'home')
  const data = { appIds, fromTeamId: ctx.teamId, toTeamId, zone: ctx.zone }
  ctx.emit({ type: 'app.move.created', ...said, data }, 'home')
  return row!
}
