import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { CompiledCode } from './compiled.ts'
import { beginGrouped } from './grouped.ts'
import { Launcher } from './launcher/launcher.ts'
import {
  type EngineCapability,
  EngineFailed,
  type FunctionEngine,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  neverThere,
} from './port.ts'
import { ProcessChannel } from './process-channel.ts'
import { type Booted, faultOf, ProcessInstance } from './process-instance.ts'
import { canWall, makeRunFolder, prepareLaunch, removeHome, tmpMb } from './sandbox.ts'
import { SpareTurn } from './spare-turn.ts'

/** What the kernel lets a process have beyond its memory: what Node itself takes, and all that may lie in `/tmp`. */
const ownMb = 64 + tmpMb
/** Processes that stand ready without code, for each size of memory that was asked for lately. */
const spareProcesses = 2
const bootTimeoutMs = 10_000
const refillAfterMs = 100
const missing = 'functions do not run without their sandbox, for which this user must be able to make namespaces'
const unwalled = 'functions run with the limits of Node alone, and reach what this server reaches'
const lack = 'sandbox'
const install = 'apt-get install bubblewrap'

/** What all processes of an engine have. */
interface Place {
  runFolder: string
  launcher: Launcher
  compiled: CompiledCode
}

/** A process that stands ready, or is about to. */
interface Spare {
  booted: Promise<Booted>
  turn: SpareTurn
}

/** Full Node, one process an instance, each in a sandbox of its own. */
export class ProcessEngine implements FunctionEngine {
  readonly runtime = 'nodejs24' as const
  #place: Promise<Place> | undefined
  readonly #spares = new Map<number, Spare[]>()
  /** Each with when nothing is left of it. */
  readonly #all = new Map<ProcessChannel, Promise<void>>()
  readonly #mayBeUnwalled: boolean
  readonly #canWall: () => Promise<boolean>
  #isClosed = false

  /** @param mayBeUnwalled whether code runs where no walls can be put up; else it does not */
  constructor(mayBeUnwalled: boolean, walls: () => Promise<boolean> = canWall) {
    this.#mayBeUnwalled = mayBeUnwalled
    this.#canWall = walls
  }

  async capabilities(): Promise<readonly EngineCapability[]> {
    const isWalled = await this.#canWall()
    const all = ['start', 'isolation', 'files', 'computing', 'tls'].map(name => ({ name, isThere: true }))
    if (isWalled) return [...all, ...neverThere]
    const why = this.#mayBeUnwalled ? unwalled : missing
    return [
      { name: 'start', isThere: this.#mayBeUnwalled, ...(!this.#mayBeUnwalled && { lack, why, install }) },
      { name: 'isolation', isThere: false, lack, why, install },
      ...all.slice(2),
      ...neverThere,
    ]
  }

  async start(spec: InstanceSpec, events: InstanceEvents): Promise<Instance> {
    const booted = await this.#take(spec)
    const instance = new ProcessInstance(booted, spec, events)
    const { compiled } = await this.#here()
    try {
      await instance.load(compiled.of(spec.folder, spec.handler))
      // Of what loads, and not beside the start that somebody waits for.
      if (booted.launch.places.compiled !== null)
        setTimeout(() => void compiled.make(spec.folder, spec.handler), refillAfterMs).unref()
      return instance
    } catch (error) {
      await instance.stop()
      throw error
    } finally {
      setTimeout(() => this.#refill(spec.memoryMb), refillAfterMs).unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const spares = [...this.#spares.values()].flat()
    this.#spares.clear()
    for (const { turn } of spares) turn.hasten()
    await Promise.allSettled(spares.map(spare => spare.booted))
    const gone = [...this.#all.values()]
    for (const channel of this.#all.keys()) channel.kill()
    await Promise.all(gone)
    const place = await this.#place
    await place?.compiled.close()
    await place?.launcher.close()
    if (place) await rm(place.runFolder, { recursive: true, force: true })
  }

  #here(): Promise<Place> {
    this.#place ??= makeRunFolder().then(runFolder => {
      const launcher = new Launcher(runFolder)
      return { runFolder, launcher, compiled: new CompiledCode(runFolder, launcher) }
    })
    return this.#place
  }

  /** One that stands ready, or a new one. */
  async #take({ memoryMb, diedBefore }: InstanceSpec): Promise<Booted> {
    const spare = this.#spares.get(memoryMb)?.shift()
    spare?.turn.hasten(diedBefore)
    const booted = await (spare?.booted ?? this.#boot(memoryMb)).catch(() => this.#boot(memoryMb))
    return booted.channel.hasEnded ? this.#boot(memoryMb) : booted
  }

  #refill(memoryMb: number): void {
    if (this.#isClosed) return
    const spares = this.#spares.get(memoryMb) ?? []
    this.#spares.set(memoryMb, spares)
    while (spares.length < spareProcesses) spares.push(this.#spare(memoryMb))
    for (const { booted } of spares) booted.catch(() => undefined)
  }

  #spare(memoryMb: number): Spare {
    const turn = new SpareTurn()
    return { booted: this.#boot(memoryMb, turn), turn }
  }

  async #hasWalls(): Promise<boolean> {
    const hasWalls = await this.#canWall()
    if (!hasWalls && !this.#mayBeUnwalled) throw new EngineFailed(faultOf('loadFailed', `${missing}: ${install}`))
    return hasWalls
  }

  async #boot(memoryMb: number, turn?: SpareTurn): Promise<Booted> {
    const startedAt = performance.now()
    const { runFolder, launcher } = await this.#here()
    const id = randomUUID()
    const launch = await prepareLaunch({ runFolder, id, memoryMb, isSandboxed: await this.#hasWalls() })
    const clearHome = () => removeHome(path.join(runFolder, id))
    const grouped = await beginGrouped(launcher, { id, memoryMb: memoryMb + ownMb, turn }, launch).catch(
      async error => {
        await clearHome()
        throw error
      },
    )
    const { launched, bound, share, clear } = grouped
    const channel = new ProcessChannel(launched)
    // Whoever has the process asks of its bound first.
    const ended = new Promise<void>(resolve => channel.once('end', () => setImmediate(resolve)))
    const cleared = ended.then(() => Promise.all([clear(), clearHome()])).then(() => void this.#all.delete(channel))
    this.#all.set(channel, cleared)
    await hasBooted(channel).catch(error => {
      channel.kill()
      throw error
    })
    if (this.#isClosed) channel.kill()
    return { id, launch, channel, bound, share, bootMs: performance.now() - startedAt }
  }
}

function hasBooted(channel: ProcessChannel): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('a process of a function did not start in time')), bootTimeoutMs)
    channel.once('report', report => (report.type === 'booted' ? resolve() : reject(new Error('it did not begin'))))
    channel.once('end', ({ said }) => reject(new Error(`a process of a function did not start: ${said}`)))
    channel.once('report', () => clearTimeout(timer))
    channel.once('end', () => clearTimeout(timer))
  })
}
