import type { FastifyRequest } from 'fastify'
import type { CallSpec, Contract } from '../kernel/contract.ts'
import type { ZoneId } from '../kernel/zones.ts'
import type { CallPlace } from './place.ts'

/** Which call: by the name in its contract, or by its address with parameters as `:appId`. */
export type CallTarget = { service: string; name: string } | { method: string; path: string }

/**
 * What a request was signed with, where the service that issues such keys has proved it: it does what the account that
 * made it may do now, in one project, and no more than its own rights.
 */
export interface ProvenKey {
  keyId: string
  accountId: string
  teamId: string
  projectId: string
  zone: ZoneId
  permissions: ReadonlySet<string>
}

export interface InsideInput {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

export interface InsideOptions {
  /** Instead of the caller's own, as if the address began with it. */
  zone?: ZoneId | undefined
  /** Instead of the caller's own, for staff who look with the eyes of a team they are in. */
  teamId?: string | undefined
  idempotencyKey?: string | undefined
  /** Instead of session or token, for a request that is signed. */
  key?: ProvenKey | undefined
  /** What is left of the caller's time; statements of PostgreSQL end with it. */
  timeLeftMs?: number | undefined
}

/** A mounted call as it is reached from inside. */
export interface MountedCall {
  contract: Contract
  name: string
  call: CallSpec
  /**
   * Makes the call for whoever made `request`: allowance, session, CSRF, team, permission, zone, validation, audit and
   * commit are those of a call from outside. Answers its JSON text without `ret`; throws a Refusal.
   */
  run(request: FastifyRequest, input: InsideInput, options?: InsideOptions): Promise<string>
  /** Where the holder of a key would make the call: what passes through it is no JSON, so its service makes it itself. Refuses. */
  admit(request: FastifyRequest, key: ProvenKey): Promise<CallPlace>
}

/** The calls of this process by name and by address. */
export class InsideCalls {
  readonly #byName = new Map<string, MountedCall>()
  readonly #byAddress = new Map<string, MountedCall>()

  /** The first of several calls of one name keeps it: later generations of a contract are reached by address. */
  add(mounted: MountedCall): void {
    const { contract, name, call } = mounted
    const key = `${contract.name} ${name}`
    if (!this.#byName.has(key)) this.#byName.set(key, mounted)
    this.#byAddress.set(addressKey(call.method, contract.prefix + call.path), mounted)
  }

  find(target: CallTarget): MountedCall | undefined {
    if ('name' in target) return this.#byName.get(`${target.service} ${target.name}`)
    return this.#byAddress.get(addressKey(target.method, target.path))
  }

  list(): MountedCall[] {
    return [...this.#byAddress.values()]
  }
}

/** What parameters are called does not tell two addresses apart. */
function addressKey(method: string, path: string): string {
  return `${method} ${path.replace(/:\w+|\{\w+\}/g, ':')}`
}
