import type { Socket } from 'node:net'
import path from 'node:path'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Config, knativePrefix } from '../../../../server/config.ts'
import type { Server } from '../../../../server/server.ts'
import { type Place, partOf } from '../../../../server/siblings/siblings.ts'
import { UnpackedCode } from '../code/unpacked.ts'
import { ContainerEngine } from '../engine/containers/containers.ts'
import { IsolateEngine } from '../engine/isolates/isolates.ts'
import { KnativeEngine } from '../engine/knative/knative.ts'
import type { EngineCapability, FunctionEngine, ImageEngine, LogLevel } from '../engine/port.ts'
import { ProcessEngine } from '../engine/processes.ts'
import { controlsOf, type FunctionControls } from '../governance/controls.ts'
import { liveLinesOf } from '../live/lines.ts'
import { latest, type RuntimeId } from '../rules.ts'
import { logLevels, lowest, type Sizing, scalingLimits, sizingOf } from '../scaling/rules.ts'
import type { FunctionConfig } from '../tables.ts'
import { CallLog, keptBetween, LinesBetween } from './call-log.ts'
import { reach } from './reach.ts'
import { VersionPool } from './version-pool.ts'

/** A version as it is run. */
export interface Runnable {
  /** What makes it another one: zone, function, version and digest. */
  key: string
  functionId: string
  projectId: string
  teamId: string
  functionName: string
  zone: ZoneId
  /** `$latest` or a number. */
  version: string
  config: FunctionConfig
  /** Opened secrets of the environment. */
  secrets: Record<string, string>
  codeSha256: string
  /** Of code, configuration and secrets. */
  digest: string
}

interface Running {
  pool: VersionPool
  runnable: Runnable
  lines: Map<string, CallLog>
  between: LinesBetween
  sizing: Sizing
  /** What of it falls to this process. */
  part: Sizing
  /** What its copies are connected to. */
  sockets: Set<Socket>
}

const free = sizingOf([], [], [])

/** Images run on the container engine of this machine, or in the cluster that the operator names. */
function imageEngineOf({ containers, imageRegistries: registries, kubeconfig, dataDir }: Config): ImageEngine {
  const namespace = containers?.startsWith(knativePrefix) ? containers.slice(knativePrefix.length) : undefined
  if (namespace !== undefined) return new KnativeEngine({ kubeconfig, namespace, registries })
  return new ContainerEngine({ address: containers, registries, folder: path.join(dataDir, 'containers') })
}

/** One that scales itself is one instance, kept where any copy is reserved. */
const asOne = (sizing: Sizing): Sizing => ({
  ...{ ...sizing, maxInstances: 1, metrics: [] },
  minInstances: Math.min(1, sizing.minInstances),
})

const sizeOf = (sizing: Sizing, now: number) => ({
  minInstances: lowest(sizing, now),
  maxInstances: sizing.maxInstances,
})

/** Of a function that is not counted whole, each process that shares the port has some of the copies. */
const partFor = (sizing: Sizing, place: Place, isWhole: boolean): Sizing =>
  isWhole || place.of === 1 ? sizing : { ...sizing, maxInstances: Math.max(1, partOf(sizing.maxInstances, place)) }

/** What may not be connected to any more is cut off, too: a connection that stays open would go round the rules. */
function resize(running: Running, controls: FunctionControls, place: Place): void {
  const before = running.sizing
  const sizing = controls.sizing(running.runnable.version)
  if (before === sizing) return
  running.sizing = sizing
  running.part = partFor(sizing, place, controls.isCountedWhole)
  if (JSON.stringify(before.egress) === JSON.stringify(sizing.egress)) return
  for (const socket of running.sockets) socket.destroy()
}

/** All copies of all functions that this process runs. */
export class FunctionRuntime {
  readonly engines: Readonly<Record<RuntimeId, FunctionEngine>> & { image: ImageEngine }
  readonly #server: Server
  readonly #code: UnpackedCode
  readonly #pools = new Map<string, Running>()
  readonly #sweep: NodeJS.Timeout

  constructor(server: Server) {
    this.#server = server
    this.engines = {
      nodejs24: new ProcessEngine(server.config.functions === 'unwalled'),
      isolate: new IsolateEngine(),
      image: imageEngineOf(server.config),
    }
    this.#code = new UnpackedCode(server)
    this.#sweep = setInterval(() => this.#dropEmpty(), 30_000)
    this.#sweep.unref()
  }

  /** The copies of a version; made with the first call. `lines` collects what is logged, by request, `between` the rest. */
  of(runnable: Runnable, controls?: FunctionControls): Pick<Running, 'pool' | 'lines' | 'between'> {
    const { key } = runnable
    let found = this.#pools.get(key)
    if (!found) {
      found = this.#open(runnable)
      this.#pools.set(key, found)
    }
    if (controls) resize(found, controls, this.#server.siblings.place)
    return found
  }

  /** Whether functions of a runtime run here, or have something; its engine says why not. */
  async support(runtime: RuntimeId, name = 'start'): Promise<EngineCapability> {
    const found = await this.engines[runtime].capabilities()
    return found.find(one => one.name === name) ?? { name, isThere: false }
  }

  /** The folder of a package, unpacked. Throws `BadPackage`. */
  folderOf(zone: ZoneId, sha256: string): Promise<string> {
    return this.#code.folderOf(zone, sha256)
  }

  /** What is set of a function holds for its copies from now on. */
  hold(zone: ZoneId, functionId: string, controls: FunctionControls): void {
    for (const running of this.#pools.values()) {
      const { runnable } = running
      const isMeant = runnable.functionId === functionId && runnable.zone === zone
      if (isMeant) resize(running, controls, this.#server.siblings.place)
    }
  }

  /** The functions of which something runs here. */
  running(): { zone: ZoneId; functionId: string }[] {
    return [...new Map([...this.#pools.values()].map(({ runnable }) => [runnable.functionId, runnable])).values()]
  }

  /** What runs of a function on this process. */
  poolsOf(functionId: string, version: string): VersionPool[] {
    return [...this.#pools.values()]
      .filter(({ runnable }) => runnable.functionId === functionId && runnable.version === version)
      .map(one => one.pool)
  }

  /** Versions of a function that have copies on this process. */
  versionsOf(functionId: string): string[] {
    const own = [...this.#pools.values()].filter(({ runnable }) => runnable.functionId === functionId)
    return [...new Set(own.map(({ runnable }) => runnable.version))]
  }

  /**
   * Ends what runs of a function: it was deleted or switched off.
   *
   * @param graceMs for the calls in flight
   */
  end(functionId: string, graceMs = 0): void {
    for (const [key, { pool, runnable }] of this.#pools) {
      if (runnable.functionId !== functionId) continue
      this.#pools.delete(key)
      void pool.close(graceMs)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map(({ pool }) => pool.close(0)))
    await Promise.all(Object.values(this.engines).map(engine => engine.close()))
    await this.#code.close()
  }

  #open(runnable: Runnable): Running {
    const { config, projectId, functionName, functionId, version, zone, codeSha256, digest, secrets } = runnable
    const engine = this.engines[config.runtime]
    const lines = new Map<string, CallLog>()
    const between = new LinesBetween()
    const live = liveLinesOf(this.#server)
    const hear = (log: CallLog | undefined, said: { requestId: string | null; level: LogLevel; line: string }) => {
      const { level, line } = said
      if (!log || logLevels.indexOf(level) < logLevels.indexOf(running.sizing.logLevel)) return
      log.add({ at: this.#server.clock.now(), level, line })
      live.wrote(runnable, said)
    }
    // No code runs before it is known where it may connect to; a connection asks again.
    const { place } = this.#server.siblings
    const sizingNow = async () => {
      resize(running, await controlsOf(this.#server).of(zone, functionId), place)
      return running.sizing
    }
    const connect = async (host: string, port: number) => {
      const { egress } = await sizingNow()
      const socket = await reach(this.#server.outbound, host, port, egress)
      running.sockets.add(socket)
      socket.once('close', () => running.sockets.delete(socket))
      return socket
    }
    const start = async (diedBefore: boolean) => {
      await sizingNow()
      const own = new CallLog(keptBetween)
      const starting = engine.start(
        {
          projectId,
          functionId,
          functionName,
          version,
          ...(config.image
            ? { image: config.image, folder: '' }
            : { folder: await this.#code.folderOf(zone, codeSha256) }),
          layers: await Promise.all((config.layers ?? []).map(layer => this.#code.folderOf(zone, layer.sha256))),
          handler: config.handler,
          initialiser: config.initHandler,
          initTimeoutMs: config.initTimeoutMs,
          isObject: config.functionType === 1,
          memoryMb: config.memoryMb,
          env: { ...config.env, ...secrets },
          diedBefore,
          connect: (host, port) => connect(host, port),
          scale: {
            ...{ zone, digest, concurrency: config.instanceConcurrency, timeoutMs: config.timeoutMs },
            size: () => sizeOf(running.sizing, this.#server.clock.now()),
          },
        },
        { log: line => hear(line.requestId === null ? own : lines.get(line.requestId), line) },
      )
      return between.follow(starting, own)
    }
    const pool = new VersionPool({
      start,
      concurrency: config.instanceConcurrency * (engine.scalesItself ? scalingLimits.maxInstances : 1),
      sizing: () => (engine.scalesItself ? asOne(running.sizing) : running.part),
      now: () => this.#server.clock.now(),
    })
    const part = partFor(free, place, false)
    const running: Running = { pool, runnable, lines, between, sizing: free, part, sockets: new Set() }
    return running
  }

  /** What `$latest` was before finishes its calls and ends. */
  keepLatest(zone: ZoneId, functionId: string, digest: string): void {
    for (const [key, { pool, runnable }] of this.#pools) {
      const isLatest = runnable.functionId === functionId && runnable.zone === zone && runnable.version === latest
      if (!isLatest || runnable.digest === digest) continue
      this.#pools.delete(key)
      void pool.close()
    }
  }

  /** Ends the copies of versions that are no more; of those after `last` it is not known yet. */
  keepOnly(zone: ZoneId, functionId: string, versions: ReadonlySet<string>, last: number): void {
    for (const [key, { pool, runnable }] of this.#pools) {
      const isMeant = runnable.functionId === functionId && runnable.zone === zone
      if (!isMeant || versions.has(runnable.version) || Number(runnable.version) > last) continue
      this.#pools.delete(key)
      void pool.close()
    }
  }

  #dropEmpty(): void {
    for (const [key, { pool }] of this.#pools) {
      if (!pool.isEmpty) continue
      this.#pools.delete(key)
      void pool.close(0)
    }
  }
}

const runtimes = new WeakMap<Server, FunctionRuntime>()

/** One a process; it starts nothing before the first call. */
export function runtimeOf(server: Server): FunctionRuntime {
  let runtime = runtimes.get(server)
  if (!runtime) {
    runtime = new FunctionRuntime(server)
    runtimes.set(server, runtime)
  }
  return runtime
}
