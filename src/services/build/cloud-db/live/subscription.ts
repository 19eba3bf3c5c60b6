import { refuse } from '../../../../kernel/errors.ts'
import type { SocketLine } from '../../../../server/implement.ts'
import type { Place } from '../model.ts'
import { type Actor, administrator } from '../objects/access.ts'
import { type Query, readQuery } from '../objects/conditions.ts'
import { findRows, type RawRow, ReadRow, toJson } from '../objects/read.ts'
import { dataErrors } from '../objects/rules.ts'
import { keyText } from '../objects/values.ts'
import type { AppType } from '../wire/app-version.ts'
import { LoggedRow, type Stored } from './change.ts'
import { type Group, type Sight, type Subscriber, sightOf, type Told, tailOf } from './group.ts'
import type { Hub } from './hub.ts'

const chunkRows = 500
const mostBuffered = 5_000

/** What is listened to, by whom, and as which version of the schema his app was built with; null: that of now. */
export interface Seen {
  place: Place
  actor: Actor
  app: AppType | null
}

/** One query that one connection listens to. */
export class Subscription implements Subscriber {
  readonly subId: string
  readonly line: SocketLine
  readonly conditions: unknown
  readonly #hub: Hub
  place: Place
  actor: Actor
  app: AppType | null
  query: Query
  group: Group | undefined
  /** Something was not sent: everything is sent anew as soon as the reader has caught up. */
  isLost = false
  /** Changes that come while the first rows are read. */
  #waiting: { told: Told[]; mark: string }[] | null = null

  constructor(hub: Hub, line: SocketLine, subId: string, seen: Seen, conditions: unknown) {
    this.#hub = hub
    this.line = line
    this.subId = subId
    this.place = seen.place
    this.actor = seen.actor
    this.app = seen.app
    this.conditions = conditions
    this.query = readListening(seen, conditions)
  }

  /** Joins a group and sends the rows that are there, or what changed since a mark. */
  async begin(resume: string | null): Promise<void> {
    const sight = await sightOf(this.place, this.actor, this.query, this.#conditionsText(), this.app)
    if (sight.isNothing) refuse(dataErrors.denied, { right: 'read', where: ' by its rules' })
    this.#join(sight)
    this.#waiting = []
    const mark = await this.#hub.markNow(this.place.zone)
    const since = resume === null ? null : await this.#hub.changesSince(this, resume)
    if (since) await this.#sendSince(since, mark)
    else await this.#sendRows(mark)
    this.#sendWaiting()
  }

  end(): void {
    this.#leave()
  }

  #leave(): void {
    this.group = undefined
    this.#hub.leave(this)
  }

  /** What changed for the group. The frame's tail was put together once for all of them. */
  tell(told: Told[], tail: string, mark: string): void {
    if (this.isLost) return
    if (this.#waiting) {
      this.#waiting.push({ told, mark })
      if (this.#waiting.length > mostBuffered) this.isLost = true
      return
    }
    this.#send(`{"op":"CHANGE","subId":${JSON.stringify(this.subId)},${tail}`)
  }

  /** Everything anew: the reader was too slow, or rows changed without being named. */
  async resync(): Promise<void> {
    if (!this.line.isOpen) return
    if (!this.line.send(`{"op":"RESYNC","subId":${JSON.stringify(this.subId)}}`)) {
      this.isLost = true
      return
    }
    this.isLost = false
    this.#hub.countResync(this)
    this.#waiting = []
    await this.#sendRows(await this.#hub.markNow(this.place.zone))
    this.#sendWaiting()
  }

  /** Rights, rules, schema or the caller changed: what is seen no more is taken away, what is seen now is given. */
  async reconsider({ place, actor, app }: Seen): Promise<void> {
    const before = this.group?.sight
    this.place = place
    this.actor = actor
    this.app = app
    let sight: Sight | null = null
    try {
      this.query = readListening(this, this.conditions)
      sight = await sightOf(place, actor, this.query, this.#conditionsText(), app)
    } catch {
      sight = null
    }
    if (before && sight && sight.key === before.key && sight.schemaVersion === before.schemaVersion) {
      if (this.group) this.group.sight.rulesVersion = sight.rulesVersion
      return
    }
    this.#leave()
    if (sight && !sight.isNothing) this.#join(sight)
    await this.#sendDifference(before, sight)
    if (sight && !sight.isNothing) return
    this.#send(`{"op":"DENIED","subId":${JSON.stringify(this.subId)},"code":${dataErrors.denied[0]}}`)
    this.#hub.forget(this)
  }

  #join(sight: Sight): void {
    this.group = this.#hub.join(this, sight, this.query.count)
  }

  #conditionsText(): string {
    return JSON.stringify(this.conditions)
  }

  async #sendDifference(before: Sight | undefined, after: Sight | null): Promise<void> {
    if (!before) return
    const everything = await findRows(this.place, administrator('listener', ''), whereOnly(this.conditions)).catch(
      () => null,
    )
    if (!everything) return this.resync()
    const told: Told[] = []
    for (const raw of everything.rows) {
      const row = asLogged(this.place, raw)
      const was = before.test(row)
      const is = after?.test(row) ?? false
      if (was && !is) told.push({ kind: 'removed', text: row.keyJson() })
      if (is && !was) told.push({ kind: 'added', text: row.textIn(this.place, after?.fields) })
    }
    if (told.length > 0) this.tell(told, tailOf(told, this.#hub.markOf(this.place.zone)), '')
  }

  async #sendRows(mark: string): Promise<void> {
    const found = await findRows(this.place, this.actor, this.conditions)
    for (let at = 0; at === 0 || at < found.rows.length; at += chunkRows) {
      const rows = found.rows.slice(at, at + chunkRows)
      const isLast = at + chunkRows >= found.rows.length
      const { app } = this
      const data = toJson(this.place, { query: found.query, rows }, app ? { fields: app.fields } : {})
      this.#send(
        `{"op":"SNAPSHOT","subId":${JSON.stringify(this.subId)},"data":${data},"isLast":${isLast},"version":"${mark}"}`,
      )
    }
    const versions = new Map(
      found.rows.map(raw => [keyOfRaw(this.place, raw), new ReadRow(this.place.type, raw).version]),
    )
    this.#waiting = (this.#waiting ?? []).map(one => ({
      ...one,
      told: one.told.filter(told => isNewer(told, versions, this.place)),
    }))
  }

  async #sendSince(told: Told[], mark: string): Promise<void> {
    const head = `{"op":"RESUMED","subId":${JSON.stringify(this.subId)}}`
    this.#send(head)
    if (told.length > 0) this.#send(`{"op":"CHANGE","subId":${JSON.stringify(this.subId)},${tailOf(told, mark)}`)
  }

  #sendWaiting(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const { told, mark } of waiting) if (told.length > 0) this.tell(told, tailOf(told, mark), mark)
  }

  #send(frame: string): void {
    if (!this.line.send(frame)) this.isLost = true
    else this.#hub.countSent(this)
  }
}

/** Listening takes comparisons and an order; neither limit nor page nor sum. */
function readListening({ place, app }: Pick<Seen, 'place' | 'app'>, conditions: unknown): Query {
  const query = readQuery(place.type, conditions)
  app?.assertConditions(conditions as unknown[])
  if (
    query.limit !== null ||
    query.page ||
    query.aggregates.length > 0 ||
    query.groupBy.length > 0 ||
    query.select.length > 0
  ) {
    refuse(dataErrors.badCondition, {
      condition: 'queryConditions',
      reason: 'a listener takes comparisons and OrderBy only',
    })
  }
  return query
}

const whereOnly = (conditions: unknown): unknown[] =>
  (conditions as { conditionType: string }[]).filter(one => one.conditionType !== 'OrderBy')

function asLogged(place: Place, raw: RawRow): LoggedRow {
  const row = new ReadRow(place.type, raw)
  const stored: Stored = {
    naturalbase_version: row.version,
    naturalbase_creator: row.creator,
    naturalbase_operationtime: row.operationTime,
  }
  for (const column of place.type.columns) stored[column.name] = row.cellOf(column)
  return new LoggedRow(place.type, stored)
}

function keyOfRaw(place: Place, raw: RawRow): string {
  const row = new ReadRow(place.type, raw)
  return keyText(place.type, column => row.cellOf(column))
}

/** A change that the first rows already show is left out. */
function isNewer(told: Told, versions: ReadonlyMap<string, string>, place: Place): boolean {
  if (!told || told.kind === 'removed') return told !== null
  const row = JSON.parse(told.text) as Stored
  const known = versions.get(keyText(place.type, column => row[column.name] as never))
  return known === undefined || BigInt(row['naturalbase_version'] as string) > BigInt(known)
}
