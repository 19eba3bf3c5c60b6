import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import { publishedRules } from '../../rules/public.ts'
import { databaseOf } from '../catalogue.ts'
import type { Database } from '../model.ts'
import { FanOut } from './fan-out.ts'
import { Feed } from './feed.ts'
import type { Group, Sight, Subscriber, Told } from './group.ts'
import { type Counts, type Reported, writeReports } from './reports.ts'

const tickMs = 1_000
const reportEveryTicks = 4

/** An open line with its listeners. */
interface Line {
  readonly subscriptions: Iterable<Subscriber>
  /** Whose it is; undefined before it said so. */
  readonly place: { projectId: string; zone: ZoneId } | undefined
  checkCaller(): Promise<void>
  reconsider(database: Database | null, rulesVersion: number): Promise<void>
  forget(subscription: Subscriber): void
}

const hubs = new WeakMap<Server, Hub>()
export function hubOf(server: Server): Hub {
  let hub = hubs.get(server)
  if (!hub) {
    hub = new Hub(server)
    hubs.set(server, hub)
  }
  return hub
}

/** All listeners of this process. */
export class Hub {
  readonly #server: Server
  readonly connections = new Set<Line>()
  readonly #fanOut = new FanOut()
  readonly #feed: Feed
  readonly #sent = new Map<string, Counts>()
  #timer: NodeJS.Timeout | undefined
  /** Who had listeners when it was last said. */
  #reported: readonly Reported[] = []
  #ticks = 0
  #isTicking = false

  constructor(server: Server) {
    this.#server = server
    this.#feed = new Feed(server, this.#fanOut)
  }

  /** Before the signals start. */
  start(): void {
    this.#feed.start()
    this.#timer = setInterval(() => void this.tick(), tickMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#feed.stop()
  }

  join(subscription: Subscriber, sight: Sight, conditions: number): Group {
    return this.#fanOut.join(subscription, sight, conditions)
  }

  leave(subscription: Subscriber): void {
    this.#fanOut.leave(subscription)
  }

  forget(subscription: Subscriber): void {
    this.leave(subscription)
    for (const connection of this.connections) connection.forget(subscription)
  }

  countSent(subscription: Subscriber): void {
    const group = this.#fanOut.groupOf(subscription)
    if (group) group.sent++
    this.#countsOf(subscription.place.database.projectId).sent++
  }

  countResync({ place }: Subscriber): void {
    this.#countsOf(place.database.projectId).resyncs++
  }

  #countsOf(projectId: string): Counts {
    const counts = this.#sent.get(projectId) ?? { sent: 0, resyncs: 0 }
    this.#sent.set(projectId, counts)
    return counts
  }

  markOf(zone: ZoneId): string {
    return this.#feed.markOf(zone)
  }

  /** From where a listener that begins now can go on later. */
  markNow(zone: ZoneId): Promise<string> {
    return this.#feed.markNow(zone)
  }

  /** What a listener missed since a mark; null where the log no longer reaches back, or it is too much. */
  async changesSince(subscription: Subscriber, mark: string): Promise<Told[] | null> {
    const changes = await this.#feed.since(subscription.place, mark)
    return changes && this.#fanOut.toldOf(subscription, changes)
  }

  /** Once a second: what was missed, who may no longer see, who was too slow. */
  async tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    try {
      this.#fanOut.forgetOld()
      if (this.connections.size > 0) {
        await this.#feed.look()
        await this.#reconsiderAll()
      } else this.#feed.forget()
      if (++this.#ticks % reportEveryTicks === 0) {
        await this.#feed.announce()
        await writeReports(this.#server, this.#reports())
      }
    } catch (error) {
      this.#server.log.warn({ reason: (error as Error).message }, 'listeners wait: the database does not answer')
    } finally {
      this.#isTicking = false
    }
  }

  async #reconsiderAll(): Promise<void> {
    const projects = new Map<string, Line[]>()
    for (const connection of [...this.connections]) {
      await connection.checkCaller()
      const { place } = connection
      if (place) projects.set(place.projectId, [...(projects.get(place.projectId) ?? []), connection])
    }
    for (const [projectId, connections] of projects) {
      const zone = connections[0]?.place?.zone
      if (zone === undefined) continue
      const database = await databaseOf(this.#server, zone, projectId)
      const rules = await publishedRules({ server: this.#server, zone }, projectId, 'agc.cloud.db')
      for (const connection of connections) await connection.reconsider(database, rules?.version ?? 0)
    }
  }

  #reports(): Reported[] {
    const byProject = new Map<string, Reported>()
    for (const connection of this.connections) {
      for (const subscription of connection.subscriptions) {
        const { database, zone } = subscription.place
        const { projectId, teamId } = database
        const one = byProject.get(projectId) ?? {
          ...{ projectId, teamId, zone, connections: new Set<object>(), groups: new Set<Group>(), subscriptions: 0 },
          counts: this.#countsOf(projectId),
        }
        byProject.set(projectId, one)
        one.connections.add(connection)
        one.subscriptions++
        const group = this.#fanOut.groupOf(subscription)
        if (group) one.groups.add(group)
      }
    }
    const now = [...byProject.values()]
    // Whose last listener went is said once more, or the view would show it until the report is stale.
    const gone = this.#reported
      .filter(one => !byProject.has(one.projectId))
      .map(one => ({ ...one, connections: new Set<object>(), groups: new Set<Group>(), subscriptions: 0 }))
    this.#reported = now
    return [...now, ...gone]
  }
}
