import type { ScopeGiven } from '../../../kernel/permissions.ts'
import { systemContext } from '../../../server/context.ts'
import type { LazyTransaction } from '../../../server/database/transaction.ts'
import type { Membership } from '../../../server/gatekeeper.ts'
import type { Server } from '../../../server/server.ts'
import { permissionMatrix, rightsOf, toMemberScope } from './rules.ts'

export interface KnownMembership extends Membership {
  name: string
  userType: number
  isLeader: boolean
  roles: readonly string[]
  permVersion: number
}

type Memberships = ReadonlyMap<string, KnownMembership>

const mostEntries = 20_000
const everything: ReadonlySet<string> = new Set(Object.keys(permissionMatrix))

/**
 * The active memberships of accounts, in memory. Every change of rights reaches each process by the signal `teams`: the
 * payload is an account id, or `team:` and a team id where a role that many hold was changed.
 */
export class MembershipCache {
  readonly #server: Server
  readonly #known = new Map<string, Promise<Memberships>>()
  readonly #accountsOfTeam = new Map<string, Set<string>>()
  /** Read while they are loaded: a change of a team meets those too. */
  readonly #loading = new Set<string>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. An empty payload means that signals may have been lost. */
  listen(): void {
    this.#server.signals.on('home', 'teams', payload => this.forget(payload))
  }

  forget(payload: string): void {
    if (payload === '') this.#clear()
    else if (!payload.startsWith('team:')) this.#known.delete(payload)
    else {
      const teamId = payload.slice('team:'.length)
      for (const accountId of [...(this.#accountsOfTeam.get(teamId) ?? []), ...this.#loading])
        this.#known.delete(accountId)
      this.#accountsOfTeam.delete(teamId)
    }
  }

  async of(accountId: string): Promise<Memberships> {
    let entry = this.#known.get(accountId)
    if (!entry) {
      if (this.#known.size >= mostEntries) this.#clear()
      entry = this.#load(accountId)
      this.#known.set(accountId, entry)
      entry.catch(() => this.#known.delete(accountId))
    }
    return entry
  }

  #clear(): void {
    this.#known.clear()
    this.#accountsOfTeam.clear()
  }

  async #load(accountId: string): Promise<Memberships> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    this.#loading.add(accountId)
    try {
      const found = await systemContext(this.#server, zone, { name: 'teams' }).transact(ctx =>
        membershipsOf(ctx.transaction('home'), accountId),
      )
      for (const teamId of found.keys()) {
        const accounts = this.#accountsOfTeam.get(teamId) ?? new Set()
        accounts.add(accountId)
        this.#accountsOfTeam.set(teamId, accounts)
      }
      return found
    } finally {
      this.#loading.delete(accountId)
    }
  }
}

/** What an account may do in each team it is an active member of, by name of the team. The scope of rows must be all. */
export async function membershipsOf(transaction: LazyTransaction, accountId: string): Promise<Memberships> {
  const { rows } = await transaction.query<MembershipRow>({
    name: 'teams memberships',
    text: `SELECT t.team_id, t.name, t.site_id, t.country_code, t.user_type, t.leader_account_id, t.perm_version, m.roles, m.scope,
        EXISTS (SELECT 1 FROM provider_bindings b WHERE b.sp_id = t.team_id AND b.state = 'active') AS is_provider,
        (SELECT jsonb_object_agg(r.role_id::text, r.permissions) FROM team_roles r
          WHERE r.team_id = t.team_id AND r.role_id::text = ANY (m.roles)) AS own
      FROM members m JOIN teams t ON t.team_id = m.team_id
      WHERE m.account_id = $1 AND m.status = 'active' AND t.deleted_at IS NULL ORDER BY t.name, t.team_id`,
    values: [accountId],
  })
  return new Map(rows.map(row => [row.team_id, toMembership(row, accountId)]))
}

interface MembershipRow {
  team_id: string
  name: string
  site_id: number
  country_code: string
  user_type: number
  leader_account_id: string
  perm_version: number
  roles: string[]
  scope: ScopeGiven
  is_provider: boolean
  own: Record<string, string[]> | null
}

function toMembership(row: MembershipRow, accountId: string): KnownMembership {
  const isLeader = row.leader_account_id === accountId
  return {
    teamId: row.team_id,
    name: row.name,
    siteId: row.site_id,
    countryCode: row.country_code,
    userType: row.user_type,
    isLeader,
    roles: row.roles,
    permVersion: row.perm_version,
    permissions: isLeader ? everything : rightsOf(row.roles, row.own ?? {}),
    scope: isLeader ? 'all' : toMemberScope(row.scope),
    isProvider: row.is_provider,
  }
}
