import { createHash, randomUUID } from 'node:crypto'
import * as k8s from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../../contract.ts'
import { openFunctions } from '../../functions.testkit.ts'
import { readImage } from '../../images/rules.ts'
import { answerOf, answersAsContracted } from '../contracted.testkit.ts'
import { CannotStart, type InstanceSpec } from '../port.ts'
import { clusterHere, namespace } from './cluster.testkit.ts'
import { KnativeEngine } from './knative.ts'
import { label, nameOf } from './manifests.ts'

const digest = `sha256:${'1'.repeat(64)}`
const registries = ['registry.example.com']

const found = await clusterHere()

describe('without a cluster', () => {
  it('nothing starts, and what is missing is said', async () => {
    const none = new KnativeEngine({ kubeconfig: '/nowhere/config', namespace, registries })
    const [start] = await none.capabilities()
    expect(start).toMatchObject({
      name: 'start',
      isThere: false,
      lack: 'cluster',
      why: expect.stringContaining('cluster cannot be used'),
    })
    await expect(none.resolve(readImage(`registry.example.com/a@${digest}`))).rejects.toThrow('cluster cannot be used')
  })
})

describe.skipIf(found.why !== null)(
  found.why === null ? 'a function in a cluster' : `a function in a cluster (skipped: ${found.why})`,
  () => {
    const cluster = found.cluster as NonNullable<typeof found.cluster>
    let engine: KnativeEngine
    let size = { minInstances: 0, maxInstances: 20 }

    beforeAll(() => {
      engine = new KnativeEngine({ kubeconfig: cluster.kubeconfig, namespace, registries })
    })
    afterAll(async () => {
      await engine?.close()
      await cluster?.close()
    }, 60_000)

    const newDigest = () => createHash('sha256').update(randomUUID()).digest('hex')
    const specOf = ({
      digest: own = newDigest(),
      ...wishes
    }: Partial<InstanceSpec> & { digest?: string }): InstanceSpec => ({
      ...{ projectId: '1', functionId: '77', functionName: 'measured', version: '7', folder: '', layers: [] },
      ...{ image: { reference: `registry.example.com/team/answers:1`, digest }, handler: '', initialiser: null },
      ...{ initTimeoutMs: 20_000, isObject: false, memoryMb: 256, env: {}, connect: null },
      scale: { zone: 'CN', digest: own, concurrency: 3, timeoutMs: 4_500, size: () => size },
      ...wishes,
    })
    const start = (wishes: Parameters<typeof specOf>[0] = {}) => engine.start(specOf(wishes))
    const faultOf = (wishes: Parameters<typeof specOf>[0]) =>
      start(wishes).catch(error => (error instanceof CannotStart ? error.fault : error))

    answersAsContracted(start)

    it('is one service of Knative with what it was set to, and its environment in a secret', async () => {
      const own = newDigest()
      const instance = await start({ digest: own, env: { GREETING: 'hello' } })
      const name = nameOf('77', own)
      const service = cluster.knative.services.get(name)
      const { template } = service?.spec ?? {}
      expect(template?.metadata.annotations).toEqual({
        'autoscaling.knative.dev/min-scale': '0',
        'autoscaling.knative.dev/max-scale': '20',
      })
      expect(template?.spec).toMatchObject({
        ...{ containerConcurrency: 3, timeoutSeconds: 5, automountServiceAccountToken: false },
        containers: [
          {
            image: `registry.example.com/team/answers@${digest}`,
            envFrom: [{ secretRef: { name } }],
            resources: { limits: { memory: '256Mi', cpu: '500m' } },
            securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false },
          },
        ],
      })
      expect(JSON.stringify(service)).not.toContain('hello')
      const secret = await cluster.admin.makeApiClient(k8s.CoreV1Api).readNamespacedSecret({ name, namespace })
      expect(secret.data).toEqual({ GREETING: Buffer.from('hello').toString('base64') })
      await instance.stop()
    })

    it('is the same service for a process that starts it again, and stays when one stops', async () => {
      const own = newDigest()
      const [first, second] = await Promise.all([start({ digest: own }), start({ digest: own })])
      expect(first?.id).toBe(second?.id)
      await first?.stop()
      expect(await answerOf(second as NonNullable<typeof second>, { what: 'who' })).toMatchObject({
        uid: expect.any(Number),
      })
      await second?.stop()
      expect(cluster.knative.services.has(nameOf('77', own))).toBe(true)
    })

    it('gets its new size while it runs', async () => {
      const own = newDigest()
      const instance = await start({ digest: own })
      size = { minInstances: 2, maxInstances: 9 }
      const annotations = () => cluster.knative.services.get(nameOf('77', own))?.spec.template.metadata.annotations
      await expect.poll(annotations, { timeout: 15_000 }).toEqual({
        'autoscaling.knative.dev/min-scale': '2',
        'autoscaling.knative.dev/max-scale': '9',
      })
      await instance.stop()
    })

    it('that the cluster cannot run is refused in its words, and leaves nothing there', async () => {
      const own = newDigest()
      const image = { reference: 'registry.example.com/missing:1', digest }
      expect(await faultOf({ digest: own, image })).toMatchObject({
        message: expect.stringContaining('Unable to fetch image'),
      })
      await expect.poll(() => cluster.knative.services.has(nameOf('77', own))).toBe(false)
      const scale = { ...specOf({}).scale!, timeoutMs: 900_000 }
      expect(await faultOf({ scale })).toMatchObject({ message: expect.stringContaining('timeoutSeconds') })
    })

    it('takes what somebody else wrote over, as the one who says what it shall be', async () => {
      const own = newDigest()
      const instance = await start({ digest: own })
      const objects = cluster.admin.makeApiClient(k8s.CustomObjectsApi)
      const at = { group: 'serving.knative.dev', version: 'v1', plural: 'services', namespace, name: nameOf('77', own) }
      const body = { spec: { template: { spec: { containerConcurrency: 50 } } } }
      await objects.patchNamespacedCustomObject(
        { ...at, body, fieldManager: 'somebody' },
        k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
      )
      await instance.stop()
      await (await start({ digest: own })).stop()
      const now = await objects.getNamespacedCustomObject(at)
      expect(now.spec.template.spec.containerConcurrency).toBe(3)
    })

    it('asks nobody, where the network of the cluster heeds its rules', async () => {
      const network = cluster.admin.makeApiClient(k8s.NetworkingV1Api)
      const { spec } = await network.readNamespacedNetworkPolicy({ name: 'loggia-functions', namespace })
      expect(spec).toMatchObject({ podSelector: { matchLabels: { [label.own]: 'yes' } }, policyTypes: ['Egress'] })
      expect(spec?.egress ?? []).toEqual([])
    })

    it('is removed when no version names it any more, and not before it may have a row', async () => {
      const [kept, gone] = [newDigest(), newDigest()]
      for (const own of [kept, gone]) await (await start({ digest: own })).stop()
      const has = (own: string) => cluster.knative.services.has(nameOf('77', own))
      const named = async (digests: readonly string[]) => new Set(digests.filter(one => kept.startsWith(one)))
      await engine.removeUnnamed('CN', Date.now(), named)
      expect([has(kept), has(gone)]).toEqual([true, true])
      await engine.removeUnnamed('DE', Date.now() + 3_600_000, named)
      expect([has(kept), has(gone)]).toEqual([true, true])
      await engine.removeUnnamed('CN', Date.now() + 3_600_000, named)
      await expect.poll(() => [has(kept), has(gone)]).toEqual([true, false])
      const secrets = await cluster.admin.makeApiClient(k8s.CoreV1Api).listNamespacedSecret({ namespace })
      expect(secrets.items.map(one => one.metadata?.name)).toEqual([nameOf('77', kept)])
    })

    it('is deployed, called and deleted as any other', async () => {
      const { kubeconfig } = cluster
      const config = { containers: `knative://${namespace}`, kubeconfig, imageRegistries: registries }
      const app = await openFunctions({ config })
      try {
        const { owner, projectId } = app
        const image = { reference: `registry.example.com/team/answers@${digest}` }
        const body = { projectId, functionName: 'far', image, env: { GREETING: 'hello' } }
        const { function: made } = await owner.ok(functionsIde, 'createFunctionWithCode', { body })
        const ran = await app.run('far', { what: 'echo', n: 1 })
        expect(ran).toMatchObject({ outcome: 'SUCCESS', result: { event: { n: 1 }, env: 'hello' } })
        expect((await app.run('far', { what: 'slow' })).outcome).toBe('TIMEOUT')
        expect((await app.run('far', { what: 'echo' })).outcome).toBe('SUCCESS')
        const tagged = { ...body, functionName: 'tagged', image: { reference: 'registry.example.com/team/answers:1' } }
        const refused = await owner.call(functionsIde, 'createFunctionWithCode', { body: tagged })
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('by its digest')])
        const own = () => [...cluster.knative.services.keys()].filter(name => name.includes(made.functionId))
        expect(own()).toHaveLength(1)
        await owner.ok(functionsIde, 'deleteFunction', { params: { functionId: made.functionId }, query: {} })
        app.stage.clock.turn(3_600_000)
        await app.stage.booted.worker.sweep()
        await expect.poll(own, { timeout: 20_000 }).toEqual([])
      } finally {
        await app.close()
      }
    }, 90_000)

    it('names its image by a digest, from a registry that the operator allows', async () => {
      expect(await engine.resolve(readImage(`registry.example.com/a@${digest}`))).toBe(digest)
      await expect(engine.resolve(readImage('registry.example.com/a:1'))).rejects.toThrow('name it by its digest')
      await expect(engine.resolve(readImage(`localhost/a@${digest}`))).rejects.toThrow('from registry.example.com')
    })
  },
)
