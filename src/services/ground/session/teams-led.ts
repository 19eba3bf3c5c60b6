import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'

/** What teams tell of an account: the teams it leads. The scope of rows must reach all. */
export type TeamsLedBy = (ctx: Context, accountId: string) => Promise<{ teamId: string; name: string }[]>

// Teams know accounts and not the other way round: the door is handed in where the server is put together.
const doors = new WeakMap<Server, TeamsLedBy>()

export function connectTeams(server: Server, teamsLedBy: TeamsLedBy): void {
  doors.set(server, teamsLedBy)
}

export function teamsLedBy(ctx: Context, accountId: string): ReturnType<TeamsLedBy> {
  const ask = doors.get(ctx.server)
  if (!ask) throw new Error('no door to the teams is connected')
  return ask(ctx, accountId)
}
