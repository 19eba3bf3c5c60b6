import { systemContext } from '../../../../server/context.ts'
import type { SignedIn } from '../../../../server/gatekeeper.ts'
import type { Server } from '../../../../server/server.ts'
import type { MembershipCache } from '../memberships.ts'
import { visitorPlace } from './place.ts'

type Place = Awaited<ReturnType<typeof visitorPlace>>

const lookAgainMs = 10_000

/** Lets people without a session read the demo project, by its id. What is there is known for ten seconds. */
export class VisitorDoor {
  readonly #server: Server
  readonly #memberships: MembershipCache
  #place: Promise<Place> | undefined
  #readAt = 0

  constructor(server: Server, memberships: MembershipCache) {
    this.#server = server
    this.#memberships = memberships
  }

  async open(productId: string): Promise<SignedIn | null> {
    const now = this.#server.clock.now()
    if (this.#place === undefined || Math.abs(now - this.#readAt) > lookAgainMs) {
      this.#readAt = now
      this.#place = this.#read()
      this.#place.catch(() => {
        this.#place = undefined
      })
    }
    const place = await this.#place
    if (!place?.projectIds.includes(productId)) return null
    const teams = await this.#memberships.of(place.accountId)
    return {
      accountId: place.accountId,
      name: 'visitor',
      sessionId: '',
      staffRoles: [],
      staffPermissions: new Set(),
      softExpireAt: Number.POSITIVE_INFINITY,
      isVisitor: true,
      membership: teamId => teams.get(teamId) ?? null,
    }
  }

  #read(): Promise<Place> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    return systemContext(this.#server, zone, { name: 'visitors' }).transact(visitorPlace)
  }
}
