import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import * as k8s from '@kubernetes/client-node'
import { freePort } from '../../../../../testkit/free-port.ts'
import { answeringServer } from '../answering.testkit.ts'
import { type KnativeService, type serviceOf, serving } from './manifests.ts'

type Seen = KnativeService & Pick<ReturnType<typeof serviceOf>, 'spec'>

/** Plays Knative over a real API: runs each service as a process of this machine, and says of it what Knative would. */
export class KnativeInTest {
  /** As the last that the API gave of each. */
  readonly services = new Map<string, Seen>()
  readonly #admin: k8s.KubeConfig
  readonly #namespace: string
  readonly #objects: k8s.CustomObjectsApi
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'lg-knative-'))
  readonly #processes = new Map<string, { child: ChildProcess; url: string }>()
  #watch: AbortController | undefined
  #isClosed = false
  #working = Promise.resolve()

  constructor(admin: k8s.KubeConfig, namespace: string) {
    this.#admin = admin
    this.#namespace = namespace
    this.#objects = admin.makeApiClient(k8s.CustomObjectsApi)
    writeFileSync(path.join(this.#folder, 'server.mjs'), answeringServer)
  }

  async open(): Promise<void> {
    const place = `/apis/${serving.group}/${serving.version}/namespaces/${this.#namespace}/${serving.plural}`
    const heard = (phase: string, service: Seen) => {
      // What is gone by the time it is looked at was deleted; its end is told next.
      this.#working = this.#working.then(() => this.#reconcile(phase, service)).catch(() => undefined)
    }
    const again = () => void (this.#isClosed || this.open())
    this.#watch = await new k8s.Watch(this.#admin).watch(place, {}, heard, again)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watch?.abort()
    for (const { child } of this.#processes.values()) child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #reconcile(phase: string, service: Seen): Promise<void> {
    const { name, generation = 1 } = service.metadata
    if (phase === 'DELETED') {
      this.services.delete(name)
      this.#processes.get(name)?.child.kill('SIGKILL')
      this.#processes.delete(name)
      return
    }
    this.services.set(name, service)
    if (service.status?.observedGeneration === generation) return
    const { image = '' } = service.spec.template.spec.containers[0] ?? {}
    if (image.includes('/missing')) {
      const message = `Revision "${name}-00001" failed with message: Unable to fetch image "${image}".`
      return this.#tell(name, {
        observedGeneration: generation,
        conditions: [{ type: 'Ready', status: 'False', message }],
      })
    }
    const { url } = this.#processes.get(name) ?? (await this.#begin(name))
    await this.#tell(name, { observedGeneration: generation, url, conditions: [{ type: 'Ready', status: 'True' }] })
  }

  async #begin(name: string) {
    const secret = await this.#admin
      .makeApiClient(k8s.CoreV1Api)
      .readNamespacedSecret({ name, namespace: this.#namespace })
    const opened = Object.entries(secret.data ?? {}).map(([key, value]) => [key, String(Buffer.from(value, 'base64'))])
    const port = await freePort()
    const env = { ...Object.fromEntries(opened), PORT: String(port) }
    const child = spawn(process.execPath, [path.join(this.#folder, 'server.mjs')], { env, stdio: 'ignore' })
    while (!(await isListening(port))) await new Promise(resolve => setTimeout(resolve, 20))
    const begun = { child, url: `http://127.0.0.1:${port}` }
    this.#processes.set(name, begun)
    return begun
  }

  async #tell(name: string, status: KnativeService['status']): Promise<void> {
    const options = k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch)
    const at = { ...serving, namespace: this.#namespace, name }
    await this.#objects.patchNamespacedCustomObjectStatus({ ...at, body: { status } }, options)
  }
}

const isListening = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
