import { eq } from 'drizzle-orm'
import { systemContext } from '../../../server/context.ts'
import type { Membership } from '../../../server/gatekeeper.ts'
import type { Server } from '../../../server/server.ts'
import { permissionMatrix, permissionsOf } from './rules.ts'
import { members, teamRows } from './tables.home.ts'

export interface KnownMembership extends Membership {
  name: string
  countryCode: string
  isLeader: boolean
  roles: readonly string[]
  permVersion: number
}

const mostEntries = 20_000

/** The active memberships of accounts, in memory; every change of a team's rights reaches each process by the signal `teams`. */
export class MembershipCache {
  readonly #server: Server
  readonly #known = new Map<string, Promise<ReadonlyMap<string, KnownMembership>>>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. The payload is an account id; empty means that signals may have been lost. */
  listen(): void {
    this.#server.signals.on('home', 'teams', accountId => this.forget(accountId))
  }

  forget(accountId: string): void {
    if (accountId === '') this.#known.clear()
    else this.#known.delete(accountId)
  }

  async of(accountId: string): Promise<ReadonlyMap<string, KnownMembership>> {
    let entry = this.#known.get(accountId)
    if (!entry) {
      if (this.#known.size >= mostEntries) this.#known.clear()
      entry = this.#load(accountId)
      this.#known.set(accountId, entry)
      entry.catch(() => this.#known.delete(accountId))
    }
    return entry
  }

  async #load(accountId: string): Promise<ReadonlyMap<string, KnownMembership>> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    const rows = await systemContext(this.#server, zone, { name: 'teams' }).transact(ctx =>
      ctx.home
        .select({ team: teamRows, member: members })
        .from(members)
        .innerJoin(teamRows, eq(teamRows.teamId, members.teamId))
        .where(eq(members.accountId, accountId)),
    )
    const active = rows.filter(row => row.member.status === 'active')
    return new Map(
      active.map(({ team, member }) => [
        team.teamId,
        {
          teamId: team.teamId,
          name: team.name,
          siteId: team.siteId,
          countryCode: team.countryCode,
          isLeader: team.leaderAccountId === accountId,
          roles: member.roles,
          permVersion: team.permVersion,
          permissions: permissionsOf(member.roles, permissionMatrix),
        },
      ]),
    )
  }
}
