import type { Context } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import type { Server } from './server.ts'

/** Apps that go to another team, or to another project of their team (`fromTeamId` is `toTeamId` then). */
export interface Handing {
  moveId: string
  appIds: string[]
  fromTeamId: string
  toTeamId: string
  toProjectId: string
  /** Test groups and their people go along. */
  keepsTesters: boolean
}

/** Rows that belong to apps and go where the apps go. Names come from the code of services, never from people. */
export interface OwnedRows {
  table: string
  /** The condition that finds them by `$1`, the ids of the apps; `app_id = ANY($1)` unless said. */
  by?: string
  /** Columns that hold ids of files: text, text[] or jsonb. */
  files?: readonly string[]
}

/** What a service does when apps change hands. All of a database happens in one transaction, and may happen again. */
export interface Handover {
  rows?: readonly OwnedRows[]
  homeRows?: readonly OwnedRows[]
  /** Tables with a team that stay with the old one, and why. */
  stays?: Readonly<Record<string, string>>
  /** What keeps apps from going now, by the words of the move's contract; in the zone of the apps. */
  blocks?(ctx: Context, appIds: readonly string[]): Promise<{ appId: string; block: string }[]>
  /** Before the rows go, in the zone. */
  zone?(ctx: Context, handing: Handing): Promise<void>
  /** In the home database, after the zone's rows have gone. */
  home?(ctx: Context, handing: Handing): Promise<void>
}

const kept = new WeakMap<Server, readonly Handover[]>()

/** Keeps what the services give along; once, when the server is made. */
export function keepHandovers(server: Server, handovers: readonly Handover[]): void {
  kept.set(server, handovers)
}

/** What each service gives along when an app changes hands. */
export function handoversOf(server: Server): readonly Handover[] {
  return kept.get(server) ?? []
}

export const ofApp = 'app_id = ANY($1::bigint[])'

/** What the services have against apps going, each word once an app. */
export async function blocksOfServices(ctx: Context, appIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { blocks } of handoversOf(ctx.server)) {
    for (const { appId, block } of (await blocks?.(ctx, appIds)) ?? []) {
      const before = found.get(appId) ?? []
      if (!before.includes(block)) found.set(appId, [...before, block])
    }
  }
  return found
}

/** Gives every row of the apps in the zone to the other team, in the caller's transaction; its scope must reach both teams. */
export async function handOverZone(ctx: Context, handing: Handing): Promise<void> {
  for (const handover of handoversOf(ctx.server)) await handover.zone?.(ctx, handing)
  await giveRows(ctx, ctx.zone, handing)
}

/** The same in the home database. */
export async function handOverHome(ctx: Context, handing: Handing): Promise<void> {
  for (const handover of handoversOf(ctx.server)) await handover.home?.(ctx, handing)
  await giveRows(ctx, 'home', handing)
}

/** Rows that were written for the old team while the apps went: what devices had sent a moment before. */
export async function giveRows(ctx: Context, database: DatabaseName, handing: Handing): Promise<void> {
  const { appIds, fromTeamId, toTeamId } = handing
  if (fromTeamId === toTeamId) return
  for (const handover of handoversOf(ctx.server)) {
    const rows = database === 'home' ? handover.homeRows : handover.rows
    for (const { table, by = ofApp } of rows ?? []) {
      await ctx.transaction(database).query({
        text: `UPDATE ${table} SET team_id = $2 WHERE team_id = $3 AND ${by}`,
        values: [appIds, toTeamId, fromTeamId],
      })
    }
  }
}
