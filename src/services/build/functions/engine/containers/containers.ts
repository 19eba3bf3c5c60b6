import type Docker from 'dockerode'
import { type ImageReference, readImage } from '../../images/rules.ts'
import {
  BadImage,
  CannotStart,
  type EngineCapability,
  EngineFailed,
  type ImageEngine,
  type Instance,
  type InstanceEvents,
  type InstanceSpec,
  NoEngine,
} from '../port.ts'
import { faultOf } from '../process-instance.ts'
import { make } from './begin.ts'
import { type Connected, connect, type Missing } from './connection.ts'
import { ContainerInstance } from './container-instance.ts'
import { pinnedImage, resolveImage, saidBy } from './images.ts'
import { removeLeftContainers } from './leftovers.ts'
import { DoorPlace } from './place.ts'

/** An engine that is not there is looked for again after this. */
const askAgainMs = 10_000

/** Images of developers, one container an instance, whose network leads to our proxy and nowhere else. */
export class ContainerEngine implements ImageEngine {
  readonly runtime = 'image'
  readonly #address: string | undefined
  readonly #registries: readonly string[]
  readonly #folder: string
  readonly #running = new Set<Instance>()
  #connection: Promise<Connected | Missing> | undefined
  #askAgainAt = 0
  #place: Promise<DoorPlace> | undefined

  /**
   * @param address `unix://` and the path of the engine's socket; undefined looks in the usual places
   * @param registries from where images may be fetched
   * @param folder on this machine, where the engine sees it as well
   */
  constructor(options: { address: string | undefined; registries: readonly string[]; folder: string }) {
    this.#address = options.address
    this.#registries = options.registries
    this.#folder = options.folder
  }

  async capabilities(): Promise<readonly EngineCapability[]> {
    const found = await this.#connect()
    if ('why' in found) return [{ name: 'start', isThere: false, ...found }]
    const unlimited = 'the container engine cannot hold containers to their memory: it needs cgroups'
    return [
      { name: 'start', isThere: true },
      { name: 'memoryLimit', isThere: found.hasMemoryLimits, ...(found.hasMemoryLimits ? {} : { why: unlimited }) },
      { name: 'outbound', isThere: true },
    ]
  }

  /** The digest that a reference leads to now. Throws `NoEngine` and `BadImage`. */
  async resolve(reference: ImageReference): Promise<string> {
    const found = await this.#connect()
    if ('why' in found) throw new NoEngine(`${found.why}: ${found.install}`)
    return this.#asking(resolveImage(found.docker, reference, this.#registries))
  }

  async start(spec: InstanceSpec, events: InstanceEvents): Promise<Instance> {
    const found = await this.#connect()
    if ('why' in found) throw new EngineFailed(faultOf('loadFailed', `${found.why}: ${found.install}`))
    const image = await this.#imageOf(found.docker, spec)
    this.#place ??= DoorPlace.make(this.#folder)
    const made = await this.#asking(make(found, await this.#place, spec, image)).catch(error => {
      throw new EngineFailed(faultOf('loadFailed', `its container could not be made: ${saidBy(error)}`))
    })
    const instance = await ContainerInstance.start(found.docker, made, spec, events)
    this.#running.add(instance)
    void instance.ended.then(() => this.#running.delete(instance))
    return instance
  }

  /** Takes away what servers left that were killed. */
  async removeLeftovers(): Promise<void> {
    const found = await this.#connect()
    if ('docker' in found) await removeLeftContainers(found.docker)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map(one => one.stop()))
    await (await this.#place)?.remove()
  }

  async #imageOf(docker: Docker, { image }: InstanceSpec): Promise<Docker.ImageInspectInfo> {
    const { reference, digest } = image ?? { reference: '', digest: '' }
    const pinned = { ...readImage(reference), digest }
    const found = await this.#asking(pinnedImage(docker, pinned, this.#registries)).catch(error => {
      const why = error instanceof BadImage ? error.message : saidBy(error)
      throw new CannotStart(faultOf('loadFailed', `the image ${reference} cannot be had: ${why}`))
    })
    const { Cmd, Entrypoint } = found.Config
    if (!Cmd?.length && !Entrypoint?.length)
      throw new CannotStart(faultOf('loadFailed', `the image ${reference} names no command: add CMD or ENTRYPOINT`))
    return found
  }

  /** One that does not answer any more is looked for again. */
  async #asking<T>(asked: Promise<T>): Promise<T> {
    return asked.catch(error => {
      if (/ECONNREFUSED|ENOENT|ECONNRESET/.test((error as { code?: string }).code ?? '')) this.#connection = undefined
      throw error
    })
  }

  #connect(): Promise<Connected | Missing> {
    if (this.#askAgainAt > 0 && performance.now() > this.#askAgainAt) this.#connection = undefined
    this.#connection ??= connect(this.#address).then(found => {
      this.#askAgainAt = 'why' in found ? performance.now() + askAgainMs : 0
      return found
    })
    return this.#connection
  }
}
