import { armOf } from '../../../../kernel/bucketing.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { countSeen, type Seen, type SeenKind } from '../../material/public.ts'
import { EachSecond } from '../each-second.ts'
import { deviceOfVersion } from '../pseudonym.ts'
import type { Shelf } from '../shelf.ts'
import type { ShelfVersion } from '../shelf-version.ts'
import type { Look } from './look.ts'

interface Reported {
  type: string
  versionId: string
  isUpdate?: boolean
}

/** What is counted in tests of what devices report. */
const kindOf: Readonly<Record<string, SeenKind>> = { install_ok: 'install', open: 'open' }

/** Beyond this nothing new is remembered until the next flush: whoever invents devices does not fill the memory. */
const mostWaiting = 100_000

/**
 * Which devices saw which page of a test and installed the app. Like the other counts it costs no query: once a second what
 * came together is written to the zones of the apps, where each device counts once.
 */
export class Viewers {
  readonly #server: Server
  /** When what has come together is written. */
  readonly flush = new EachSecond(() => this.#flush())
  #seen = new Map<string, Seen & { zone: ZoneId }>()

  constructor(server: Server) {
    this.#server = server
  }

  /** A device was shown a page. */
  addSeen({ zone }: ShelfVersion, look: Look, deviceId: string, kinds: readonly SeenKind[], at: number): void {
    const { testId, variantId } = look
    const device = deviceOfVersion(this.#server, testId, deviceId)
    for (const kind of kinds) this.#put({ testId, variantId, device, kind, at, zone })
  }

  /** What a device reports, where it takes part in a test. */
  addReports(shelf: Shelf, deviceId: string, events: readonly Reported[], at: number): void {
    for (const { type, versionId, isUpdate } of events) {
      const kind = kindOf[type]
      const version = kind && !isUpdate && shelf.tested(versionId)
      if (!version) continue
      for (const test of version.tests) {
        const arm = armOf(test, deviceId)
        if (arm === null) continue
        const { testId } = test
        const device = deviceOfVersion(this.#server, testId, deviceId)
        const variantId = test.variants[arm - 1]?.variantId ?? null
        this.#put({ testId, variantId, device, kind, at, zone: version.zone })
      }
    }
  }

  #put(one: Seen & { zone: ZoneId }): void {
    const key = `${one.testId} ${one.device} ${one.kind}`
    if (!this.#seen.has(key) && this.#seen.size < mostWaiting) this.#seen.set(key, one)
  }

  async #flush(): Promise<void> {
    if (this.#seen.size === 0) return
    const seen = [...this.#seen.values()]
    this.#seen = new Map()
    for (const [zone, ofZone] of Map.groupBy(seen, one => one.zone)) {
      if (!this.#server.pools.has(zone)) continue
      const system = systemContext(this.#server, zone, { name: 'store tests' })
      await system
        .transact(ctx => countSeen(ctx, ofZone))
        .catch(error => {
          this.#server.log.warn(
            { zone, reason: (error as Error).message },
            'what devices saw of tests waits for its zone',
          )
          for (const one of ofZone) this.#put(one)
        })
    }
  }
}
