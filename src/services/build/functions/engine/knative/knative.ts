import type { ImageReference } from '../../images/rules.ts'
import { nameOf as imageName, mayBePulled, readImage } from '../../images/rules.ts'
import type { EngineLack } from '../../rules.ts'
import {
  BadImage,
  CannotStart,
  type EngineCapability,
  EngineFailed,
  type ImageEngine,
  type Instance,
  type InstanceSpec,
  NoEngine,
} from '../port.ts'
import { faultOf } from '../process-instance.ts'
import { Cluster } from './cluster.ts'
import { KnativeInstance } from './knative-instance.ts'
import { label, nameOf, secretOf, serviceOf } from './manifests.ts'

/** A cluster may have to fetch an image before it is ready. */
const fetchMs = 120_000
const askAgainMs = 10_000
/** A version may have its service before it has its row. */
const newForMs = 30 * 60_000
const install = 'kubectl apply -f serving-crds.yaml -f serving-core.yaml (knative.dev/docs/install)'

type Found = Cluster | { lack: EngineLack; why: string; install: string }

/** Images of developers as services of Knative, which starts and ends their copies itself. */
export class KnativeEngine implements ImageEngine {
  readonly runtime = 'image'
  readonly scalesItself = true
  readonly #options: { kubeconfig: string | undefined; namespace: string; registries: readonly string[] }
  readonly #running = new Set<Instance>()
  #connection: Promise<Found> | undefined
  #askAgainAt = 0

  constructor(options: { kubeconfig: string | undefined; namespace: string; registries: readonly string[] }) {
    this.#options = options
  }

  async capabilities(): Promise<readonly EngineCapability[]> {
    const found = await this.#connect()
    if (!(found instanceof Cluster)) return [{ name: 'start', isThere: false, ...found }]
    return [
      { name: 'start', isThere: true },
      { name: 'outbound', isThere: false, why: 'functions in the cluster have no way out: they answer and ask nobody' },
      { name: 'logs', isThere: false, why: 'what functions write is in the logs of the cluster' },
    ]
  }

  /** The digest that a reference has itself: the cluster's registries are not this server's to ask. */
  async resolve(reference: ImageReference): Promise<string> {
    const found = await this.#connect()
    if (!(found instanceof Cluster)) throw new NoEngine(`${found.why}: ${found.install}`)
    const { registries } = this.#options
    if (!mayBePulled(registries, reference))
      throw registries.length === 0 ? new BadImage('noRegistryAllowed') : new BadImage('otherRegistry', { registries })
    if (reference.digest === null) throw new BadImage('digestNeeded', { repository: reference.repository })
    return reference.digest
  }

  async start(spec: InstanceSpec): Promise<Instance> {
    const cluster = await this.#connect()
    if (!(cluster instanceof Cluster))
      throw new EngineFailed(faultOf('loadFailed', `${cluster.why}: ${cluster.install}`))
    const { image, scale } = spec
    if (!image || !scale) throw new Error('an image and what it is scaled by are needed')
    const from = performance.now()
    const name = nameOf(spec.functionId, scale.digest)
    const apply = async () => {
      const pinned = imageName({ ...readImage(image.reference), digest: image.digest })
      return cluster.applyService(serviceOf(name, pinned, spec, scale))
    }
    const isNew = !(await this.#asking(cluster.list(scale.zone))).some(one => one.metadata.name === name)
    try {
      await cluster.applySecret(secretOf(name, spec, scale))
      const { metadata } = await apply()
      const url = await cluster.addressOf(name, metadata.generation ?? 1, spec.initTimeoutMs + fetchMs)
      const instance = new KnativeInstance(name, url, spec, apply)
      await instance.initialise(from)
      this.#running.add(instance)
      void instance.ended.then(() => this.#running.delete(instance))
      return instance
    } catch (error) {
      if (isNew) await cluster.remove(name).catch(() => undefined)
      throw error instanceof CannotStart ? error : new EngineFailed(faultOf('loadFailed', saidBy(error)))
    }
  }

  /** Takes away what no version names any more. */
  async removeUnnamed(
    zone: string,
    now: number,
    named: (digests: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const cluster = await this.#connect()
    if (!(cluster instanceof Cluster)) return
    const digestOf = (labels: Record<string, string> = {}) => labels[label.digest] ?? ''
    const all = await cluster.list(zone)
    const old = all.filter(({ metadata }) => now - Date.parse(metadata.creationTimestamp ?? '') > newForMs)
    const kept = await named(old.map(one => digestOf(one.metadata.labels)))
    for (const { metadata } of old) if (!kept.has(digestOf(metadata.labels))) await cluster.remove(metadata.name)
  }

  /** Ends nothing: other processes call the same services, and Knative ends copies without calls. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map(one => one.stop()))
  }

  async #asking<T>(asked: Promise<T>): Promise<T> {
    return asked.catch(error => {
      this.#connection = undefined
      throw new EngineFailed(faultOf('loadFailed', `the cluster does not answer: ${saidBy(error)}`))
    })
  }

  #connect(): Promise<Found> {
    if (this.#askAgainAt > 0 && performance.now() > this.#askAgainAt) this.#connection = undefined
    this.#connection ??= this.#open().then(found => {
      this.#askAgainAt = found instanceof Cluster ? 0 : performance.now() + askAgainMs
      return found
    })
    return this.#connection
  }

  async #open(): Promise<Found> {
    const { kubeconfig, namespace } = this.#options
    try {
      const cluster = await Cluster.open(kubeconfig, namespace)
      await cluster.list()
      await cluster.closeNetwork()
      return cluster
    } catch (error) {
      const isWithout = (error as { code?: number }).code === 404
      const why = isWithout ? 'the cluster has no Knative Serving' : `the cluster cannot be used: ${saidBy(error)}`
      return { lack: isWithout ? 'knative' : 'cluster', why: why.slice(0, 300), install }
    }
  }
}

/** What the API said, in one line. */
function saidBy(error: unknown): string {
  const { body, message = String(error) } = error as { body?: unknown; message?: string }
  const told = typeof body === 'string' ? /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] : undefined
  return (told ?? message).replace(/\\"/g, '"').split('\n', 1)[0]!.slice(0, 500)
}
