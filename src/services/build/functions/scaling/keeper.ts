import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { controlsChannel, controlsOf, type FunctionControls } from '../governance/controls.ts'
import { type Runnable, runtimeOf } from '../pool/runtime.ts'
import { latest } from '../rules.ts'
import { targetsOf } from '../targets.ts'
import { lowest } from './rules.ts'
import { managerConfigs, scalingRules } from './tables.ts'

const everyMs = 1000
/** For the calls in flight of a function whose copies another process has from now on. */
const passingMs = 30_000

interface Kept {
  runnable: Runnable
  controls: FunctionControls
}

/**
 * Keeps the copies that are reserved, from the start of the server on, and lets what runs know at once when something was
 * set. Each server keeps its own; of processes that share a port the first one does.
 */
class Keeper {
  readonly #server: Server
  readonly #kept = new Map<string, Kept[]>()
  /** What changed, `zone id`; an id that is empty is every function of the zone. */
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isWorking = false

  constructor(server: Server) {
    this.#server = server
  }

  start(): void {
    for (const zone of this.#server.config.zones) {
      this.#server.signals.on(zone, controlsChannel, functionId => {
        controlsOf(this.#server).forget(zone, functionId)
        this.#changed.add(`${zone} ${functionId}`)
        this.#work()
      })
    }
    this.#timer = setInterval(() => this.#work(), everyMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#working
  }

  #work(): void {
    if (this.#isWorking || this.#timer === undefined) return
    this.#isWorking = true
    this.#working = this.#look().finally(() => {
      this.#isWorking = false
    })
  }

  async #look(): Promise<void> {
    const again = (key: string) => (error: Error) => {
      this.#changed.add(key)
      this.#server.log.warn({ key, reason: error.message }, 'what is set of a function could not be read')
      return []
    }
    for (const key of [...this.#changed]) {
      const [zone, functionId = ''] = key.split(' ') as [ZoneId, string]
      // What is set while this one is read is told anew; what failed is looked at again a second later.
      this.#changed.delete(key)
      const ids = functionId === '' ? await this.#everyId(zone).catch(again(key)) : [functionId]
      for (const id of ids) await this.#refresh(zone, id).catch(again(`${zone} ${id}`))
    }
    const now = this.#server.clock.now()
    for (const { runnable, controls } of [...this.#kept.values()].flat())
      if (lowest(controls.sizing(runnable.version), now) > 0) runtimeOf(this.#server).of(runnable, controls)
  }

  async #everyId(zone: ZoneId): Promise<string[]> {
    const found = await this.#inZone(zone, async ctx => [
      ...(await ctx.db.selectDistinct({ functionId: managerConfigs.functionId }).from(managerConfigs)),
      ...(await ctx.db.selectDistinct({ functionId: scalingRules.functionId }).from(scalingRules)),
    ])
    const running = runtimeOf(this.#server)
      .running()
      .filter(one => one.zone === zone)
    return [...new Set([...found, ...running].map(one => one.functionId))]
  }

  async #refresh(zone: ZoneId, functionId: string): Promise<void> {
    const runtime = runtimeOf(this.#server)
    const key = `${zone} ${functionId}`
    const controls = await controlsOf(this.#server).of(zone, functionId)
    const targets = targetsOf(this.#server)
    const known = await targets.known(zone, functionId)
    if (!known?.row.isEnabled) {
      this.#kept.delete(key)
      return runtime.end(functionId)
    }
    // Its copies are those of the first process from now on.
    if (controls.isCountedWhole && this.#server.siblings.place.at > 0) return runtime.end(functionId, passingMs)
    const { row, versions } = known
    runtime.hold(zone, functionId, controls)
    runtime.keepLatest(zone, functionId, row.digest)
    runtime.keepOnly(zone, functionId, new Set([latest, ...versions.keys()]), row.lastVersion)
    const kept = controls.keptVersions().flatMap(version => {
      const runnable = targets.version(zone, known, version)
      return runnable ? [{ runnable, controls }] : []
    })
    if (kept.length > 0) this.#kept.set(key, kept)
    else this.#kept.delete(key)
  }

  #inZone<T>(zone: ZoneId, work: (ctx: Context) => Promise<T>): Promise<T> {
    return systemContext(this.#server, zone, { name: 'functions' }).transact(work)
  }
}

/** Call before the signals start; what it answers ends it. */
export function startKeeper(server: Server): () => Promise<void> {
  const keeper = new Keeper(server)
  keeper.start()
  return () => keeper.close()
}
