import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'

/** What accounts must know of teams. The scope of rows must reach all. */
export interface TeamDoors {
  /** The teams an account leads. */
  teamsLedBy(ctx: Context, accountId: string): Promise<{ teamId: string; name: string }[]>
  /** Ends what is open for these addresses and telephone numbers in every team, and forgets them. */
  forgetInvited(ctx: Context, addresses: readonly string[]): Promise<void>
}

// Teams know accounts and not the other way round: the doors are handed in where the server is put together.
const doors = new WeakMap<Server, TeamDoors>()

export function connectTeams(server: Server, teams: TeamDoors): void {
  doors.set(server, teams)
}

/** The doors to the teams of this server. */
export function teamsOf({ server }: Context): TeamDoors {
  const teams = doors.get(server)
  if (!teams) throw new Error('no door to the teams is connected')
  return teams
}
