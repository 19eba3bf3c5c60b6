import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Launcher } from '../launcher/launcher.ts'
import {
  type EngineCapability,
  EngineFailed,
  type FunctionEngine,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
} from '../port.ts'
import { faultOf } from '../process-instance.ts'
import { canWall, plainSources, removeLeftovers } from '../sandbox.ts'
import { SpareTurn } from '../spare-turn.ts'
import { Bundles } from './bundle.ts'
import { IsolateHost } from './isolate-host.ts'
import { IsolateInstance } from './isolate-instance.ts'
import { findWorkerd, isolateCapabilities } from './program.ts'

const prefix = 'loggia-isolates-'
/** How long a process stays without a copy. */
const idleMs = 10_000
const insideFiles = ['main', 'telling', 'outgoing', 'collect'].map(name => `isolates/inside/${name}.ts`)
const sharedFiles = ['serving', 'handler', 'faults', 'current-call', 'logs'].map(name => `runner/${name}.ts`)

interface Place {
  runFolder: string
  launcher: Launcher
  /** What stands around the code in an isolate. */
  runner: Buffer
}

/** A process that follows another one. */
interface Next {
  host: Promise<IsolateHost>
  turn: SpareTurn
}

/** Isolates of workerd: one process a project and size of memory, each copy an isolate in it. */
export class IsolateEngine implements FunctionEngine {
  readonly runtime = 'isolate' as const
  readonly #bundles = new Bundles()
  readonly #hosts = new Map<string, Promise<IsolateHost>>()
  /** What follows those that are nearly full, so that no copy waits for it. */
  readonly #next = new Map<string, Next>()
  readonly #all = new Set<IsolateHost>()
  readonly #program: string | null
  readonly #canWall: () => Promise<boolean>
  #place: Promise<Place> | undefined
  #isClosed = false

  /** @param program where workerd is; null where it is not */
  constructor(program = findWorkerd(), walls: () => Promise<boolean> = canWall) {
    this.#program = program
    this.#canWall = walls
  }

  capabilities(): Promise<readonly EngineCapability[]> {
    return isolateCapabilities(this.#program, this.#canWall)
  }

  async start(spec: InstanceSpec, events: InstanceEvents): Promise<Instance> {
    const bundle = await this.#bundles.of(spec)
    const from = performance.now()
    const { runner } = await this.#ready()
    const instance = await this.#inHost(spec, host => {
      const made = new IsolateInstance(host, performance.now() - from, bundle, spec, events)
      void made.ended.then(() => this.#endIdle(host))
      return made
    })
    try {
      await instance.load(runner)
      return instance
    } catch (error) {
      await instance.stop()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#hosts.values(), ...[...this.#next.values()].map(next => next.host)])
    for (const host of this.#all) host.kill({ reason: 'stopped', message: 'the server stops' })
    await Promise.all([...this.#all].map(host => host.ended))
    const place = await this.#place
    await place?.launcher.close()
    if (place) await rm(place.runFolder, { recursive: true, force: true })
  }

  /**
   * A copy in the process of the project; one that is full or gone is followed by another one. The copy takes its room in
   * the same moment in which there was some.
   */
  async #inHost({ projectId, memoryMb }: InstanceSpec, make: (host: IsolateHost) => IsolateInstance) {
    const key = `${projectId} ${memoryMb}`
    for (;;) {
      const known = this.#hosts.get(key)
      const host = await known?.catch(() => null)
      if (host?.hasRoom) {
        const made = make(host)
        if (host.isNearlyFull && !this.#next.has(key)) this.#prepare(key, memoryMb)
        return made
      }
      // Another one may have begun one meanwhile.
      if (this.#hosts.get(key) !== known) continue
      const next = this.#next.get(key)
      next?.turn.hasten()
      const begun = next?.host ?? this.#begin(memoryMb)
      this.#next.delete(key)
      keep(this.#hosts, key, begun)
      await begun
    }
  }

  /** Begins the process that follows; it ends again where it was not needed. */
  #prepare(key: string, memoryMb: number): void {
    const turn = new SpareTurn()
    const host = this.#begin(memoryMb, turn)
    const next = { host, turn }
    this.#next.set(key, next)
    whenOver(host, () => this.#next.get(key) === next && this.#next.delete(key))
    host.then(
      begun => this.#endIdle(begun),
      () => undefined,
    )
  }

  async #begin(memoryMb: number, turn?: SpareTurn): Promise<IsolateHost> {
    const lack = (await this.capabilities()).find(({ name, isThere }) => name === 'start' && !isThere)
    if (lack || this.#program === null || this.#isClosed)
      throw new EngineFailed(faultOf('loadFailed', `${lack?.why ?? 'the server stops'}: ${lack?.install ?? ''}`))
    const { runFolder, launcher } = await this.#ready()
    const host = await IsolateHost.begin({ program: this.#program, runFolder, launcher, memoryMb, turn }).catch(
      error => {
        throw new EngineFailed(faultOf('loadFailed', (error as Error).message))
      },
    )
    this.#all.add(host)
    void host.ended.then(() => this.#all.delete(host))
    return host
  }

  #endIdle(host: IsolateHost): void {
    setTimeout(() => {
      if (host.copies.size === 0) host.kill({ reason: 'stopped', message: 'nothing ran in it' })
    }, idleMs).unref()
  }

  #ready(): Promise<Place> {
    this.#place ??= makeRoom()
    return this.#place
  }
}

/** Until it ends. */
function keep(all: Map<string, Promise<IsolateHost>>, key: string, host: Promise<IsolateHost>): void {
  all.set(key, host)
  whenOver(host, () => all.get(key) === host && all.delete(key))
}

/** When it has ended, or did not begin. */
function whenOver(host: Promise<IsolateHost>, then: () => void): void {
  host.then(({ ended }) => ended).then(then, then)
}

async function makeRoom(): Promise<Place> {
  await removeLeftovers(prefix)
  const runFolder = await mkdtemp(path.join(os.tmpdir(), `${prefix}${process.pid}-`))
  await chmod(runFolder, 0o711)
  return {
    runFolder,
    launcher: new Launcher(runFolder),
    runner: asOneLine(await plainSources([...insideFiles, ...sharedFiles, 'frames.ts'])),
  }
}

/** Modules by their names as `inside/host` takes them: a line of JSON, and what follows it is the code of the package. */
function asOneLine(sources: Readonly<Record<string, string>>): Buffer {
  const modules = Object.entries(sources).map(([name, js]) => [name, { js }])
  return Buffer.from(`${JSON.stringify(Object.fromEntries(modules))}\n`)
}
