import { eq } from 'drizzle-orm'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Account } from './account.ts'
import { accounts, sessions } from './tables.home.ts'

export interface KnownSession {
  sessionId: string
  counter: number
  rotatedAt: number
  softExpireAt: number
  hardExpireAt: number
  revokedAt: number | null
  lastSeenAt: number
  account: Account
}

const mostEntries = 20_000

/**
 * Sessions in memory, so that a check is no query. Every process hears of a changed session or account by the signal
 * `sessions`; a lost signal connection forgets everything.
 */
export class SessionCache {
  readonly #server: Server
  readonly #known = new Map<string, Promise<KnownSession | null>>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    this.#server.signals.on('home', 'sessions', payload => void this.#forget(payload))
  }

  async find(sessionId: string): Promise<KnownSession | null> {
    let entry = this.#known.get(sessionId)
    if (!entry) {
      if (this.#known.size >= mostEntries) this.#known.clear()
      entry = this.#load(sessionId)
      this.#known.set(sessionId, entry)
      entry.catch(() => this.#known.delete(sessionId))
    }
    return entry
  }

  /** Forgets one session at once on this process; the signal tells the others. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId)
  }

  /** The payload is a session id or an account id; empty means that signals may have been lost. */
  async #forget(payload: string): Promise<void> {
    if (payload === '') return this.#known.clear()
    if (this.#known.delete(payload)) return
    for (const [sessionId, entry] of this.#known) {
      const session = await entry.catch(() => null)
      if (session?.account.accountId === payload) this.#known.delete(sessionId)
    }
  }

  async #load(sessionId: string): Promise<KnownSession | null> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    return systemContext(this.#server, zone, { name: 'session' }).transact(async ctx => {
      const [row] = await ctx.home
        .select({ session: sessions, account: accounts })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.accountId, sessions.accountId))
        .where(eq(sessions.sessionId, sessionId))
      if (!row) return null
      const { accountId, loginName, name, status, homeTeamId, siteId } = row.account
      const isBarred = this.#server.config.staffSecondFactor && !row.session.hasSecondFactor
      const staffRoles = isBarred ? [] : row.account.staffRoles
      return { ...row.session, account: { accountId, loginName, name, status, staffRoles, homeTeamId, siteId } }
    })
  }
}
