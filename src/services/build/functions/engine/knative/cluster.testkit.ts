import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as k8s from '@kubernetes/client-node'
import { missingPrograms } from '../../../../../server/programs.ts'
import { freePort } from '../../../../../testkit/free-port.ts'
import { until } from '../../functions.testkit.ts'
import { KnativeInTest } from './knative.testkit.ts'
import { serving } from './manifests.ts'

export const namespace = 'functions'
const adminToken = 'admin-of-the-test'
const loggiaToken = 'loggia-of-the-test'

/** The rights that deploy/README.md gives, and no others. */
const rules = [
  { apiGroups: [serving.group], resources: [serving.plural], verbs: ['list', 'watch', 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'patch', 'delete'] },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['create', 'patch'] },
]

const object = (properties: object) => ({ type: 'object', properties })
const texts = { type: 'object', additionalProperties: { type: 'string' } }
const text = { type: 'string' }
const flag = { type: 'boolean' }
const many = (items: object) => ({ type: 'array', items })
const container = object({
  image: text,
  ports: many(object({ containerPort: { type: 'integer' } })),
  envFrom: many(object({ secretRef: object({ name: text }) })),
  resources: object({ requests: texts, limits: texts }),
  securityContext: object({
    ...{ allowPrivilegeEscalation: flag, runAsNonRoot: flag, runAsUser: { type: 'integer' } },
    ...{ capabilities: object({ drop: many(text) }), seccompProfile: object({ type: text }) },
  }),
})
const anything = { type: 'object', x_kubernetes_preserve_unknown_fields: true }

/** Of Knative's own definition what a server of ours is held to. */
const definition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: `${serving.plural}.${serving.group}` },
  spec: {
    group: serving.group,
    names: { kind: 'Service', plural: serving.plural, singular: 'service', shortNames: ['kservice'] },
    scope: 'Namespaced',
    versions: [
      {
        ...{ name: serving.version, served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: object({
            spec: object({
              template: object({
                metadata: object({ labels: texts, annotations: texts }),
                spec: {
                  ...object({
                    timeoutSeconds: { type: 'integer', minimum: 1, maximum: 600 },
                    containerConcurrency: { type: 'integer', minimum: 0, maximum: 1000 },
                    automountServiceAccountToken: flag,
                    enableServiceLinks: flag,
                    containers: { ...many(container), minItems: 1 },
                  }),
                  required: ['containers'],
                },
              }),
            }),
            status: anything,
          }),
        },
      },
    ],
  },
}

type Cluster = Awaited<ReturnType<typeof openCluster>>

/**
 * A real Kubernetes API over a store of its own, without nodes; what Knative would do is done by processes here. Where it
 * cannot be had, what is to be done.
 */
export async function clusterHere(): Promise<{ cluster: Cluster; why: null } | { cluster: null; why: string }> {
  const found = await missingPrograms({ 'kube-apiserver': 'kube-apiserver', etcd: 'etcd-server' })
  if (found) {
    const why = `${found.missing} not on the PATH: apt-get install etcd-server, and sh tools/kube-apiserver.sh FOLDER`
    return { cluster: null, why }
  }
  const cluster = await openCluster()
  if (await cluster.keepsResources()) return { cluster, why: null }
  await cluster.close()
  return {
    cluster: null,
    why: 'this kube-apiserver ends when it keeps custom resources; sh tools/kube-apiserver.sh FOLDER builds one that does not',
  }
}

async function openCluster() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lg-k8s-'))
  const [store, peers, port] = await Promise.all([freePort(), freePort(), freePort()])
  const at = (name: string) => path.join(folder, name)
  const run = (program: string, args: string[]) => spawn(program, args, { cwd: folder, stdio: 'ignore' })
  const urls = { client: `http://127.0.0.1:${store}`, peer: `http://127.0.0.1:${peers}` }
  const etcd = run('etcd', [
    ...['--data-dir', at('etcd'), '--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
    ...[
      '--listen-peer-urls',
      urls.peer,
      '--initial-advertise-peer-urls',
      urls.peer,
      '--initial-cluster',
      `default=${urls.peer}`,
    ],
  ])
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(at('accounts.pem'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(at('tokens.csv'), `${adminToken},admin,1,system:masters\n${loggiaToken},loggia,2\n`)
  const api = run('kube-apiserver', [
    ...[
      `--etcd-servers=${urls.client}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      `--cert-dir=${at('certificates')}`,
    ],
    ...[`--token-auth-file=${at('tokens.csv')}`, '--authorization-mode=RBAC', '--anonymous-auth=false'],
    ...['--service-account-issuer=https://kubernetes.test', `--service-account-key-file=${at('accounts.pem')}`],
    ...[`--service-account-signing-key-file=${at('accounts.pem')}`, '--service-cluster-ip-range=10.99.0.0/24'],
    ...['--disable-admission-plugins=ServiceAccount', '--allow-privileged=false'],
  ])
  const configOf = (token: string) => ({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [
      {
        name: 'test',
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': at('certificates/apiserver.crt') },
      },
    ],
    users: [{ name: 'test', user: { token } }],
  })
  const kubeconfig = at('loggia.kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(configOf(loggiaToken)))
  const admin = new k8s.KubeConfig()
  await until(
    async () => tried(() => readFileSync(at('certificates/apiserver.crt'))),
    isThere => isThere,
    60_000,
  )
  admin.loadFromString(JSON.stringify(configOf(adminToken)))
  const core = admin.makeApiClient(k8s.CoreV1Api)
  await until(
    () =>
      core.listNamespace().then(
        () => true,
        () => false,
      ),
    isThere => isThere,
    60_000,
  )
  await prepare(admin)
  const knative = new KnativeInTest(admin, namespace)
  await knative.open()
  return {
    kubeconfig,
    admin,
    knative,
    keepsResources: async () => {
      const spec = { template: { spec: { containers: [{ image: 'registry.example.com/missing/probe' }] } } }
      const probe = { ...{ apiVersion: `${serving.group}/${serving.version}`, kind: 'Service', spec } }
      const objects = k8s.KubernetesObjectApi.makeApiClient(admin)
      const metadata = { name: 'probe', namespace }
      await objects.create({ ...probe, metadata } as k8s.KubernetesObject).catch(() => undefined)
      const seen = () =>
        core.listNamespace().then(
          () => knative.services.has('probe'),
          () => null,
        )
      const isThere = await until(seen, found => found !== false)
      if (isThere) await objects.delete({ ...probe, metadata } as k8s.KubernetesObject)
      return isThere === true
    },
    close: async () => {
      await knative.close()
      await ended(api)
      await ended(etcd)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function prepare(admin: k8s.KubeConfig): Promise<void> {
  const objects = k8s.KubernetesObjectApi.makeApiClient(admin)
  const metadata = { name: 'loggia', namespace }
  await objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await objects.create(definition)
  await objects.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata,
    rules,
  } as k8s.KubernetesObject)
  await objects.create({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'loggia' },
    subjects: [{ kind: 'User', name: 'loggia', apiGroup: 'rbac.authorization.k8s.io' }],
  } as k8s.KubernetesObject)
  const list = () => admin.makeApiClient(k8s.CustomObjectsApi).listNamespacedCustomObject({ ...serving, namespace })
  await until(
    () =>
      list().then(
        () => true,
        () => false,
      ),
    isThere => isThere,
  )
}

function tried(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const ended = (child: ChildProcess) =>
  new Promise(resolve => {
    child.once('exit', resolve)
    if (child.exitCode !== null || !child.kill('SIGKILL')) resolve(null)
  })
