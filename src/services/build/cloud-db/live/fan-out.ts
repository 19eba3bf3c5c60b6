import type { Place, TypeModel } from '../model.ts'
import { type LoggedChange, LoggedRow } from './change.ts'
import { Group, type Sight, type Subscriber, type Told, tailOf, tellOf } from './group.ts'

const recentMs = 10_000

interface Recent {
  version: bigint
  after: LoggedRow | null
  at: number
}

interface Images {
  before: LoggedRow | null
  after: LoggedRow | null
  late: LoggedRow | null | undefined
}

const placeKeyOf = ({ dataZone, type }: Place): string => `${dataZone.zoneId} ${type.key}`

/** Listeners in groups of equal sight, and the changes that go out to them. */
export class FanOut {
  readonly #groups = new Map<string, Group>()
  /** Groups by data zone and type. */
  readonly #byPlace = new Map<string, Set<Group>>()
  readonly #groupOf = new Map<Subscriber, Group>()
  readonly #recent = new Map<string, Recent>()

  join(subscription: Subscriber, sight: Sight, conditions: number): Group {
    const { place } = subscription
    const placeKey = placeKeyOf(place)
    const key = `${placeKey} ${sight.schemaVersion} ${sight.key}`
    let group = this.#groups.get(key)
    if (!group) {
      group = new Group(place, sight, conditions)
      this.#groups.set(key, group)
      const groups = this.#byPlace.get(placeKey) ?? new Set()
      groups.add(group)
      this.#byPlace.set(placeKey, groups)
    }
    group.subscribers.add(subscription)
    this.#groupOf.set(subscription, group)
    return group
  }

  leave(subscription: Subscriber): void {
    const group = this.#groupOf.get(subscription)
    if (!group) return
    this.#groupOf.delete(subscription)
    group.subscribers.delete(subscription)
    if (group.subscribers.size > 0) return
    const placeKey = placeKeyOf(group.place)
    this.#groups.delete(`${placeKey} ${group.sight.schemaVersion} ${group.sight.key}`)
    const groups = this.#byPlace.get(placeKey)
    groups?.delete(group)
    if (groups?.size === 0) this.#byPlace.delete(placeKey)
  }

  groupOf(subscription: Subscriber): Group | undefined {
    return this.#groupOf.get(subscription)
  }

  /** Ids of the data zones that somebody listens to. */
  dataZones(): string[] {
    return [...new Set([...this.#byPlace.keys()].map(key => key.slice(0, key.indexOf(' '))))]
  }

  /** What changes come to for one listener, as it sees them; null where it listens no more. */
  toldOf(subscription: Subscriber, changes: readonly LoggedChange[]): Told[] | null {
    const group = this.#groupOf.get(subscription)
    return group ? changes.flatMap(change => tellOf(group, ...imagesOf(group.place.type, change)) ?? []) : null
  }

  /** Each change is judged once for a group, and put into words once for a type. */
  tell(placeKey: string, changes: readonly LoggedChange[], mark: string): void {
    const groups = this.#byPlace.get(placeKey)
    if (!groups) return
    if (changes.some(change => !change.before && !change.after)) {
      for (const group of groups) for (const one of group.subscribers) void one.resync()
      return
    }
    const images = new Map<TypeModel, Images[]>()
    for (const group of groups) {
      const { type } = group.place
      let ready = images.get(type)
      if (!ready) {
        ready = changes.map(change => {
          const [before, after] = imagesOf(type, change)
          return { before, after, late: this.#overtaken(placeKey, change.version, before, after) }
        })
        images.set(type, ready)
      }
      const told = toldTo(group, ready)
      if (told.length === 0) continue
      const tail = tailOf(told, mark)
      for (const subscription of group.subscribers) subscription.tell(told, tail, mark)
    }
  }

  /** What the row is by now where a newer change was told before this one; undefined where this is the newest. */
  #overtaken(
    placeKey: string,
    version: string,
    before: LoggedRow | null,
    after: LoggedRow | null,
  ): LoggedRow | null | undefined {
    const row = after ?? before
    if (!row) return undefined
    const key = `${placeKey} ${row.key}`
    const known = this.#recent.get(key)
    const own = BigInt(version)
    if (known && known.version > own) return known.after
    this.#recent.set(key, { version: own, after, at: performance.now() })
    return undefined
  }

  forgetOld(): void {
    const old = performance.now() - recentMs
    for (const [key, one] of this.#recent) if (one.at < old) this.#recent.delete(key)
  }
}

function toldTo(group: Group, images: readonly Images[]): Told[] {
  const told: Told[] = []
  for (const { before, after, late } of images) {
    // A newer change of the row came first: all that is left to say is that it is seen no more.
    const one = late === undefined ? tellOf(group, before, after) : tellOf(group, before, late)
    if (one && (late === undefined || one.kind === 'removed')) told.push(one)
  }
  return told
}

function imagesOf(type: TypeModel, change: LoggedChange): [LoggedRow | null, LoggedRow | null] {
  return [change.before && new LoggedRow(type, change.before), change.after && new LoggedRow(type, change.after)]
}
