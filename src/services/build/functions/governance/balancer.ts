import { type BalanceSpec, type Candidate, pick } from './rules.ts'

const mostSessions = 10_000

/** Remembers what a policy needs from one call to the next. */
export class Balancer {
  readonly spec: BalanceSpec
  readonly #sessions = new Map<string, { instanceId: string; until: number }>()
  #after = 0

  constructor(spec: BalanceSpec) {
    this.spec = spec
  }

  pick(candidates: readonly Candidate[], session: string | null, now: number): Candidate | undefined {
    if (this.spec.policy !== 'SessionStickiness') return this.#next(this.spec.policy, candidates)
    if (session === null) return this.#next('LeastInFlight', candidates)
    const kept = this.#sessions.get(session)
    const own = kept && kept.until > now ? candidates.find(one => one.instanceId === kept.instanceId) : undefined
    const picked = own ?? this.#next('LeastInFlight', candidates)
    if (picked) this.#keep(session, picked.instanceId, now)
    return picked
  }

  #next(policy: Parameters<typeof pick>[0], candidates: readonly Candidate[]): Candidate | undefined {
    const picked = pick(policy, candidates, this.#after, Math.random())
    if (picked) this.#after = picked.order
    return picked
  }

  /** The one that was asked for longest ago is forgotten first. */
  #keep(session: string, instanceId: string, now: number): void {
    this.#sessions.delete(session)
    if (this.#sessions.size >= mostSessions) this.#sessions.delete(this.#sessions.keys().next().value as string)
    this.#sessions.set(session, { instanceId, until: now + this.spec.sticky.ttlSec * 1000 })
  }
}
