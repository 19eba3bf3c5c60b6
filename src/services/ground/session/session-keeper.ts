import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { endReplayed } from './rotation.ts'
import { accountStatus, judgeCounter, limits, livenessOf } from './rules.ts'
import { type KnownSession, SessionCache } from './session-cache.ts'
import { sessions } from './tables.home.ts'
import { csrfTokenOf, readToken, teamCsrfTokenOf } from './tokens.ts'

type Found = { session: KnownSession } | { session: null; reason: 'getTokenInfo return null' | 'accessToken invalid' }

const dayMs = 86_400_000
const mostTokens = 20_000

/** Judges session tokens. A token that a rotation used up ends its session: somebody has a copy. */
export class SessionKeeper {
  readonly #server: Server
  readonly #cache: SessionCache
  readonly #csrfTokens = new Map<string, string>()

  constructor(server: Server) {
    this.#server = server
    this.#cache = new SessionCache(server)
  }

  listen(): void {
    this.#cache.listen()
  }

  /** Also finds sessions past soft expiry: the gate decides which calls those may make. */
  async identify(token: string | undefined): Promise<Found> {
    if (!token) return { session: null, reason: 'getTokenInfo return null' }
    const read = readToken(this.#server.masterKey, token)
    if (!read) return { session: null, reason: 'accessToken invalid' }
    let session = await this.#cache.find(read.sessionId)
    if (session && read.counter > session.counter) {
      this.#cache.forget(read.sessionId)
      session = await this.#cache.find(read.sessionId)
    }
    if (!session || session.revokedAt !== null || session.account.status !== accountStatus.normal) {
      return { session: null, reason: 'accessToken invalid' }
    }
    const now = this.#server.clock.now()
    if (livenessOf(session, now) === 'over') return { session: null, reason: 'accessToken invalid' }
    if (judgeCounter(read.counter, session, now) === 'replayed') {
      await this.#end(session)
      return { session: null, reason: 'accessToken invalid' }
    }
    if (now - session.lastSeenAt > limits.seenEveryMs) this.#seen(session, now)
    return { session }
  }

  /** The session's own token, or the team-level one of today or yesterday (UTC) for the team of the header. */
  isCsrfRight(sessionId: string, sent: { csrf?: string; teamCsrf?: string; teamId?: string }): boolean {
    const key = this.#server.masterKey
    if (sent.csrf !== undefined) return isSame(sent.csrf, this.#csrfTokenOf(sessionId))
    if (sent.teamCsrf === undefined || sent.teamId === undefined) return false
    const now = this.#server.clock.now()
    return [now, now - dayMs].some(at =>
      isSame(
        sent.teamCsrf ?? '',
        teamCsrfTokenOf(key, sessionId, sent.teamId ?? '', new Date(at).toISOString().slice(0, 10)),
      ),
    )
  }

  #csrfTokenOf(sessionId: string): string {
    let token = this.#csrfTokens.get(sessionId)
    if (token === undefined) {
      if (this.#csrfTokens.size >= mostTokens) this.#csrfTokens.clear()
      token = csrfTokenOf(this.#server.masterKey, sessionId)
      this.#csrfTokens.set(sessionId, token)
    }
    return token
  }

  /** Nobody waits for it, and a lost one is made up for by the next. */
  #seen(session: KnownSession, now: number): void {
    session.lastSeenAt = now
    systemContext(this.#server, this.#zone, { name: 'session' })
      .transact(ctx =>
        ctx.home.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.sessionId, session.sessionId)),
      )
      .catch(error => this.#server.log.debug({ reason: (error as Error).message }, 'a session was not marked as seen'))
  }

  async #end(session: KnownSession): Promise<void> {
    const { sessionId, account } = session
    await systemContext(this.#server, this.#zone, { name: 'session' }).transact(ctx =>
      endReplayed(ctx, { sessionId, accountId: account.accountId }),
    )
  }

  get #zone(): ZoneId {
    return this.#server.config.zones[0] ?? 'CN'
  }
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
