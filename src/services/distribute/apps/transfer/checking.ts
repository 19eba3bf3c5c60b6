import { and, inArray } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { blocksOfServices } from '../../../../server/handover.ts'
import { type AppRecord, mine } from '../queries.ts'
import { type MoveBlock, ownBlocks, targetBlocks } from '../rules.ts'
import { apps } from '../tables.ts'
import { appTransfer as contract } from './contract.ts'

export interface Checked {
  appId: string
  name: string
  blocks: MoveBlock[]
}

/** The apps of the caller's team, in the order they were named, locked where they are to go. Refuses 404 for any other. */
export async function appsToMove(ctx: Context, appIds: readonly string[], lock?: 'update'): Promise<AppRecord[]> {
  const query = ctx.db
    .select()
    .from(apps)
    .where(and(inArray(apps.appId, [...appIds]), mine(ctx)))
    .orderBy(apps.appId)
  const rows = await (lock ? query.for(lock) : query)
  const found = new Map(rows.map(app => [app.appId, app]))
  return appIds.map(appId => found.get(appId) ?? refuse(commonErrors.notFound, { entity: 'app', id: appId }))
}

/** What matters only where the apps go to another team. */
const outwards: readonly string[] = ['CLAIM', 'API_CLIENTS', 'IN_SERIES'] satisfies MoveBlock[]

/** What keeps the apps from going: of themselves, of the services, of the project where one is named. */
export async function checkApps(
  ctx: Context,
  rows: readonly AppRecord[],
  options: {
    target?: { projectId: string; isSameZone: boolean } | null
    moving?: readonly string[]
    /** To another project of the same team. */
    isWithin?: boolean
  } = {},
): Promise<Checked[]> {
  const ofServices = await blocksOfServices(
    ctx,
    rows.map(app => app.appId),
  )
  return rows.map(app => {
    const found = [
      ...ownBlocks({ ...app, isDemo: app.demo !== null }),
      ...((ofServices.get(app.appId) ?? []) as MoveBlock[]),
      ...(options.moving?.includes(app.appId) ? (['MOVING'] as const) : []),
      ...(options.target === undefined ? [] : targetBlocks(app, options.target)),
    ]
    const blocks = [...new Set(found)].filter(block => !options.isWithin || !outwards.includes(block))
    return { appId: app.appId, name: app.name, blocks }
  })
}

/** Refuses when anything keeps any of the apps. */
export function mustBeFree(checked: readonly Checked[]): void {
  const blocked = checked.filter(one => one.blocks.length > 0)
  if (blocked.length === 0) return
  const reasons = blocked.map(one => `${one.name}: ${one.blocks.join(', ')}`)
  refuse(contract.errors.blocked, { reasons: reasons.join('; '), list: blocked })
}
