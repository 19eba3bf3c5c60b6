import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { accountsOf } from '../session/public.ts'
import type { GrantScope } from './tables.home.ts'

/** What a process knows of a client whose token was shown. */
export interface KnownClient {
  clientId: string
  kind: 'team' | 'user' | 'debug'
  name: string
  state: 'ACTIVE' | 'DISABLED'
  zones: readonly ZoneId[]
  expiresAt: number | null
  tokensAfter: bigint
  /** Live grants by team. */
  grants: ReadonlyMap<string, KnownGrant>
  revoked: ReadonlySet<string>
}

interface KnownGrant {
  permissions: ReadonlySet<string>
  scope: GrantScope
  grantedBy: string
  /** The account that answers for it may sign in. */
  isAnswered: boolean
}

const mostEntries = 10_000
const channel = 'clients'

/**
 * Clients in memory, so that a check is no query. Every process hears of a changed client by the signal `clients`, of a
 * changed account by `sessions`; a lost signal connection forgets everything.
 */
export class ClientCache {
  readonly #server: Server
  readonly #known = new Map<string, Promise<KnownClient | null>>()
  /** Clients that an account answers for. */
  readonly #clientsOfAccount = new Map<string, Set<string>>()
  /** Read while they are loaded: a change of an account meets those too. */
  readonly #loading = new Set<string>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    this.#server.signals.on('home', channel, clientId => {
      if (clientId === '') this.#clear()
      else this.#known.delete(clientId)
    })
    this.#server.signals.on('home', 'sessions', payload => this.#forgetAccount(payload))
  }

  async find(clientId: string): Promise<KnownClient | null> {
    let entry = this.#known.get(clientId)
    if (!entry) {
      if (this.#known.size >= mostEntries) this.#clear()
      entry = this.#load(clientId)
      this.#known.set(clientId, entry)
      entry.catch(() => this.#known.delete(clientId))
    }
    return entry
  }

  /** The payload is a session id or an account id; empty means that signals may have been lost. */
  #forgetAccount(payload: string): void {
    if (payload === '') this.#clear()
    for (const clientId of [...(this.#clientsOfAccount.get(payload) ?? []), ...this.#loading])
      this.#known.delete(clientId)
    this.#clientsOfAccount.delete(payload)
  }

  #clear(): void {
    this.#known.clear()
    this.#clientsOfAccount.clear()
  }

  async #load(clientId: string): Promise<KnownClient | null> {
    this.#loading.add(clientId)
    try {
      const client = await this.#read(clientId)
      for (const { grantedBy } of client?.grants.values() ?? []) {
        const clients = this.#clientsOfAccount.get(grantedBy) ?? new Set()
        clients.add(clientId)
        this.#clientsOfAccount.set(grantedBy, clients)
      }
      return client
    } finally {
      this.#loading.delete(clientId)
    }
  }

  async #read(clientId: string): Promise<KnownClient | null> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    return systemContext(this.#server, zone, { name: 'apiClients' }).transact(async ctx => {
      const { rows } = await ctx.transaction('home').query<ClientFound>({
        name: 'client known',
        text: `SELECT c.client_id AS "clientId", c.kind, c.name, c.state, c.zones, c.expires_at AS "expiresAt",
            c.tokens_after AS "tokensAfter",
            (SELECT coalesce(array_agg(r.jti::text), '{}') FROM client_revoked_tokens r
              WHERE r.client_id = c.client_id AND r.expires_at > $2) AS revoked,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('teamId', g.team_id::text, 'permissions', g.permissions,
                'scope', g.scope, 'grantedBy', g.granted_by::text)), '[]')
              FROM client_grants g WHERE g.client_id = c.client_id AND g.ended_at IS NULL) AS grants
          FROM api_clients c WHERE c.client_id = $1 AND c.kind <> 'app'`,
        values: [clientId, ctx.now()],
      })
      const [row] = rows
      if (!row) return null
      const accounts = await accountsOf(ctx, [...new Set(row.grants.map(one => one.grantedBy))])
      const isOpen = new Map(accounts.map(one => [one.accountId, isAnswering(one.status, row.kind)]))
      return {
        ...row,
        expiresAt: row.expiresAt === null ? null : Number(row.expiresAt),
        tokensAfter: BigInt(row.tokensAfter),
        revoked: new Set(row.revoked),
        grants: new Map(
          row.grants.map(({ teamId, permissions, scope, grantedBy }) => [
            teamId,
            {
              permissions: new Set(permissions),
              scope,
              grantedBy,
              isAnswered: isOpen.get(grantedBy) ?? false,
            },
          ]),
        ),
      }
    })
  }
}

/**
 * Account states of the specification: 1 normal, 2 locked by wrong passwords, 6 must sign in again. A team's client goes
 * on in these; what acts as a person needs a person in good standing.
 */
function isAnswering(status: number, kind: KnownClient['kind']): boolean {
  return status === 1 || (kind === 'team' && (status === 2 || status === 6))
}

interface ClientFound {
  clientId: string
  kind: KnownClient['kind']
  name: string
  state: KnownClient['state']
  zones: ZoneId[]
  expiresAt: string | null
  tokensAfter: string
  revoked: string[]
  grants: { teamId: string; permissions: string[]; scope: GrantScope; grantedBy: string }[]
}

/** Tells every process that something about a client changed. */
export function tellClient(
  ctx: { signal(database: 'home', channel: string, payload: string): void },
  clientId: string,
) {
  ctx.signal('home', channel, clientId)
}
