import { commonErrors, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { SocketLine } from '../../../../server/implement.ts'
import { reasonOf } from '../../../../server/log.ts'
import type { Server } from '../../../../server/server.ts'
import { type AppCaller, appCallerOf } from '../../app-auth/public.ts'
import { databaseOf, typeOf, zoneOf } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import type { Database, Place } from '../model.ts'
import { actorOf } from '../objects/access.ts'
import { dataErrors } from '../objects/rules.ts'
import { AppType, appSchemaOf } from '../wire/app-version.ts'
import type { Subscriber } from './group.ts'
import type { Hub } from './hub.ts'
import { Subscription } from './subscription.ts'

const mostSubscriptions = 100

interface Frame {
  op?: unknown
  subId?: unknown
  zone?: unknown
  type?: unknown
  queryConditions?: unknown
  resumeVersion?: unknown
  authorization?: unknown
  accessToken?: unknown
  appVer?: unknown
}

/** One open line of an app, and what it listens to. */
export class Connection {
  readonly #server: Server
  readonly #hub: Hub
  readonly #line: SocketLine
  readonly #own = new Map<string, Subscription>()
  #headers: Record<string, string | string[] | undefined>
  #caller: AppCaller | undefined
  #schemaVersion = 0

  constructor(server: Server, hub: Hub, line: SocketLine) {
    this.#server = server
    this.#hub = hub
    this.#line = line
    this.#headers = line.request.headers
  }

  get subscriptions(): Iterable<Subscription> {
    return this.#own.values()
  }

  get place(): { projectId: string; zone: ZoneId } | undefined {
    return this.#caller
  }

  forget(gone: Subscriber): void {
    for (const [subId, subscription] of this.#own) if (subscription === gone) this.#own.delete(subId)
  }

  close(): void {
    for (const subscription of this.#own.values()) subscription.end()
    this.#own.clear()
  }

  /** Answers each frame; what is refused is said with its number and the line goes on. */
  async take(text: string): Promise<void> {
    let frame: Frame = {}
    try {
      frame = readFrame(text)
      await this.#act(frame)
    } catch (error) {
      const subId = typeof frame.subId === 'string' ? { subId: frame.subId.slice(0, 64) } : {}
      if (!(error instanceof Refusal)) {
        this.#server.log.error({ err: error, reason: reasonOf(error) }, 'a frame of a listener failed')
        return this.#say({ op: 'ERROR', ...subId, code: dataErrors.failed[0], message: dataErrors.failed[2] })
      }
      this.#say({ op: 'ERROR', ...subId, code: error.number, message: error.message })
      if (error.status === 401) this.#line.close(4401, 'the token is not accepted')
    }
  }

  async #act(frame: Frame): Promise<void> {
    switch (frame.op) {
      case 'AUTH':
        return this.#authenticate(frame)
      case 'SUB':
        return this.#subscribe(frame)
      case 'UNSUB': {
        const subscription = this.#own.get(String(frame.subId))
        subscription?.end()
        this.#own.delete(String(frame.subId))
        return this.#say({ op: 'UNSUBBED', subId: String(frame.subId).slice(0, 64) })
      }
      case 'PING':
        return this.#say({ op: 'PONG' })
      default:
        refuse(dataErrors.badParameter, { reason: 'op is AUTH, SUB, UNSUB or PING' })
    }
  }

  /** Browsers send no headers with a line: the tokens come in its first frame, and again before they end. */
  async #authenticate({ authorization, accessToken, appVer = this.#headers['appver'] }: Frame): Promise<void> {
    const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 8_192
    if (
      !isText(authorization) ||
      !(accessToken === undefined || isText(accessToken)) ||
      !(appVer === undefined || isText(appVer))
    ) {
      return refuse(dataErrors.badParameter, { reason: 'authorization, accessToken and appVer are texts' })
    }
    const headers = {
      authorization,
      ...(accessToken !== undefined && { access_token: accessToken }),
      ...(appVer !== undefined && { appver: appVer }),
    }
    const before = this.#caller
    const caller = await appCallerOf(this.#server, headers)
    if (before && before.projectId !== caller.projectId) refuse(dataErrors.unauthenticated)
    this.#headers = headers
    this.#caller = caller
    this.#say({ op: 'AUTHED', uid: caller.user?.uid ?? null })
    await this.#reconsiderOwn()
  }

  async #subscribe(frame: Frame): Promise<void> {
    const { subId, zone, type, queryConditions = [], resumeVersion } = frame
    if (typeof subId !== 'string' || !/^[\w.:-]{1,64}$/.test(subId))
      refuse(dataErrors.badParameter, { reason: 'subId has 1 to 64 letters, digits, . : _ -' })
    if (typeof zone !== 'string' || typeof type !== 'string')
      refuse(dataErrors.badParameter, { reason: 'zone and type are texts' })
    if (!(resumeVersion === undefined || typeof resumeVersion === 'string'))
      refuse(dataErrors.badParameter, { reason: 'resumeVersion is a text' })
    if (!this.#own.has(subId) && this.#own.size >= mostSubscriptions)
      refuse(dataErrors.tooManyListeners, { limit: mostSubscriptions })
    const caller = await this.#callerNow()
    const database = await databaseOf(this.#server, caller.zone, caller.projectId)
    if (!database?.isEnabled) refuse(cloudDb.errors.notEnabled)
    this.#schemaVersion = database.schemaVersion
    const place: Place = {
      server: this.#server,
      zone: caller.zone,
      database,
      dataZone: zoneOf(database, zone),
      type: typeOf(database, type),
    }
    const seen = { place, actor: this.#actor(caller), app: await this.#appOf(place) }
    const subscription = new Subscription(this.#hub, this.#line, subId, seen, queryConditions)
    this.#own.get(subId)?.end()
    this.#own.set(subId, subscription)
    try {
      await subscription.begin(resumeVersion ?? null)
    } catch (error) {
      subscription.end()
      this.#own.delete(subId)
      throw error
    }
  }

  async #callerNow(): Promise<AppCaller> {
    this.#caller ??= await appCallerOf(this.#server, this.#headers)
    if (!this.#server.config.zones.includes(this.#caller.zone)) refuse(commonErrors.zoneInvalid)
    return this.#caller
  }

  #actor(caller: AppCaller) {
    return actorOf(caller, this.#line.request.ip, this.#line.request.id)
  }

  /** Tokens end and are revoked while a line is open. */
  async checkCaller(): Promise<void> {
    const before = this.#caller
    if (!before) return
    try {
      const now = await appCallerOf(this.#server, this.#headers)
      if (
        now.user?.uid === before.user?.uid &&
        JSON.stringify(now.user?.claims) === JSON.stringify(before.user?.claims)
      ) {
        this.#caller = now
        return
      }
      this.#caller = now
    } catch (error) {
      if (!(error instanceof Refusal)) return
      // What the user saw is taken away before the line ends.
      this.#caller = { ...before, isServer: false, user: null }
      await this.#reconsiderOwn()
      this.#say({ op: 'ERROR', code: error.number, message: error.message })
      this.#line.close(4401, 'the token is not accepted')
      return
    }
    await this.#reconsiderOwn()
  }

  async reconsider(database: Database | null, rulesVersion: number): Promise<void> {
    if (database && database.schemaVersion !== this.#schemaVersion && this.#own.size > 0) {
      this.#schemaVersion = database.schemaVersion
      this.#say({ op: 'SCHEMA_CHANGED', version: database.schemaVersion })
    }
    for (const subscription of [...this.#own.values()]) {
      if (subscription.isLost) await subscription.resync()
      const { sight } = subscription.group ?? {}
      if (!sight) continue
      const bound = subscription.actor.standing.isAdministrator ? 0 : rulesVersion
      const hasChanged = database !== subscription.place.database || sight.rulesVersion !== bound
      if (hasChanged) await this.#reconsiderOne(subscription, database)
    }
  }

  async #reconsiderOwn(): Promise<void> {
    const caller = this.#caller
    if (!caller) return
    const database = await databaseOf(this.#server, caller.zone, caller.projectId)
    for (const subscription of [...this.#own.values()]) await this.#reconsiderOne(subscription, database)
  }

  async #reconsiderOne(subscription: Subscription, database: Database | null): Promise<void> {
    const caller = this.#caller
    const { place } = subscription
    const type = database?.types.get(place.type.key)
    const dataZone = database?.zones.get(place.dataZone.key)
    if (!caller || !database?.isEnabled || !type || dataZone?.zoneId !== place.dataZone.zoneId) {
      subscription.end()
      this.#own.delete(subscription.subId)
      this.#say({ op: 'DENIED', subId: subscription.subId, code: cloudDb.errors.noType[0] })
      return
    }
    const now = { ...place, database, type, dataZone }
    await subscription.reconsider({ place: now, actor: this.#actor(caller), app: await this.#appOf(now) })
  }

  /** The type as the app knows it that opened the line; null where that is as it is now. */
  async #appOf(place: Place): Promise<AppType | null> {
    const schema = await appSchemaOf(place, this.#headers)
    return schema && new AppType(place.type, schema)
  }

  #say(frame: object): void {
    this.#line.send(JSON.stringify(frame))
  }
}

function readFrame(text: string): Frame {
  try {
    const frame: unknown = JSON.parse(text)
    if (typeof frame === 'object' && frame !== null && !Array.isArray(frame)) return frame as Frame
  } catch {}
  return refuse(dataErrors.badJson, { reason: 'a frame is a JSON object' })
}
