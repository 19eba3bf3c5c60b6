import { setTimeout as delay } from 'node:timers/promises'
import type { CoreV1Api, CustomObjectsApi, KubeConfig, NetworkingV1Api, Watch } from '@kubernetes/client-node'
import {
  fieldManager,
  type KnativeService,
  label,
  networkPolicy,
  type secretOf,
  type serviceOf,
  serving,
  stateOf,
} from './manifests.ts'

const watchAgainAfterMs = 200

/** One namespace of a cluster, and what is done there. */
export class Cluster {
  readonly #client: typeof import('@kubernetes/client-node')
  readonly #namespace: string
  readonly #objects: CustomObjectsApi
  readonly #core: CoreV1Api
  readonly #network: NetworkingV1Api
  readonly #watch: Watch

  private constructor(client: typeof import('@kubernetes/client-node'), config: KubeConfig, namespace: string) {
    this.#client = client
    this.#namespace = namespace
    this.#objects = config.makeApiClient(client.CustomObjectsApi)
    this.#core = config.makeApiClient(client.CoreV1Api)
    this.#network = config.makeApiClient(client.NetworkingV1Api)
    this.#watch = new client.Watch(config)
  }

  /** @param file of a kubeconfig; without one, the account that the cluster gave to this process */
  static async open(file: string | undefined, namespace: string): Promise<Cluster> {
    // 83 MB, and for nobody who has no cluster.
    const client = await import('@kubernetes/client-node')
    const config = new client.KubeConfig()
    if (file === undefined) config.loadFromCluster()
    else config.loadFromFile(file)
    return new Cluster(client, config, namespace)
  }

  /** Lets functions ask nobody, where the cluster's network heeds it. */
  async closeNetwork(): Promise<void> {
    const { name } = networkPolicy.metadata
    await this.#network.patchNamespacedNetworkPolicy({ ...this.#applied(name), body: networkPolicy }, this.#asApply())
  }

  async applySecret(body: ReturnType<typeof secretOf>): Promise<void> {
    await this.#core.patchNamespacedSecret({ ...this.#applied(body.metadata.name), body }, this.#asApply())
  }

  async applyService(body: ReturnType<typeof serviceOf>): Promise<KnativeService> {
    const { name } = body.metadata
    return this.#objects.patchNamespacedCustomObject({ ...serving, ...this.#applied(name), body }, this.#asApply())
  }

  async list(zone?: string): Promise<KnativeService[]> {
    const labelSelector = zone === undefined ? `${label.own}=yes` : `${label.own}=yes,${label.zone}=${zone}`
    const found = await this.#objects.listNamespacedCustomObject({
      ...{ ...serving, namespace: this.#namespace, labelSelector },
    })
    return found.items
  }

  /** With its secret; what is gone already is no error. */
  async remove(name: string): Promise<void> {
    const at = { namespace: this.#namespace, name }
    const unlessGone = (error: { code?: number }) => {
      if (error.code !== 404) throw error
    }
    await this.#objects.deleteNamespacedCustomObject({ ...serving, ...at }).catch(unlessGone)
    await this.#core.deleteNamespacedSecret(at).catch(unlessGone)
  }

  /**
   * The address of a service, once Knative says that it is ready at this generation or a later one. Throws with the words
   * of Knative where it is not, and after a time.
   */
  async addressOf(name: string, generation: number, withinMs: number): Promise<string> {
    const endsAt = performance.now() + withinMs
    let last = 'Knative said nothing of it'
    while (performance.now() < endsAt) {
      const found = await this.#next(name, endsAt - performance.now(), service => {
        const isNow = (service.metadata.generation ?? 1) >= generation
        const state = isNow ? stateOf(service) : { is: 'waiting' as const }
        const waiting = service.status?.conditions?.find(one => one.type === 'Ready')?.message
        last = waiting ?? last
        return state.is === 'waiting' ? null : state
      })
      if (found?.is === 'ready') return found.url
      if (found?.is === 'failed') throw new Error(found.message)
      await delay(watchAgainAfterMs)
    }
    throw new Error(`it was not ready within ${withinMs} ms: ${last}`)
  }

  /** Watches one service until something is found; null when the watch ended before. */
  async #next<T>(name: string, withinMs: number, look: (service: KnativeService) => T | null): Promise<T | null> {
    const path = `/apis/${serving.group}/${serving.version}/namespaces/${this.#namespace}/${serving.plural}`
    let stop: AbortController | undefined
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<T | null>((resolve, reject) => {
        timer = setTimeout(() => resolve(null), withinMs)
        const heard = (phase: string, service: KnativeService) => {
          const found = phase === 'ADDED' || phase === 'MODIFIED' ? look(service) : null
          if (found !== null) resolve(found)
        }
        this.#watch
          .watch(path, { fieldSelector: `metadata.name=${name}` }, heard, () => resolve(null))
          .then(begun => {
            stop = begun
          }, reject)
      })
    } finally {
      clearTimeout(timer)
      stop?.abort()
    }
  }

  #applied(name: string) {
    return { name, namespace: this.#namespace, fieldManager, force: true }
  }

  #asApply() {
    const { PatchStrategy, setHeaderOptions } = this.#client
    return setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply)
  }
}
