import { nanoCpusOf } from '../../images/rules.ts'
import type { InstanceSpec, Scale } from '../port.ts'

/** Of Knative Serving; what a server may do to them is in deploy/README.md. */
export const serving = { group: 'serving.knative.dev', version: 'v1', plural: 'services' } as const
export const fieldManager = 'loggia'
export const label = {
  own: 'loggia-functions',
  function: 'loggia-function',
  zone: 'loggia-zone',
  digest: 'loggia-digest',
}
/** As in the field; a program in a cluster is never root. */
const user = 1003
const longestLabel = 63

/** What is read of a service of Knative. */
export interface KnativeService {
  metadata: { name: string; generation?: number; labels?: Record<string, string>; creationTimestamp?: string }
  status?: {
    observedGeneration?: number
    url?: string
    conditions?: { type: string; status: string; reason?: string; message?: string }[]
  }
}

/** The same code, settings and secrets are the same service, whichever process asks for it. */
export const nameOf = (functionId: string, digest: string): string => `fn-${functionId}-${digest.slice(0, 16)}`

const labelsOf = ({ functionId }: InstanceSpec, { zone, digest }: Scale): Record<string, string> => ({
  [label.own]: 'yes',
  [label.function]: functionId,
  [label.zone]: zone,
  [label.digest]: digest.slice(0, longestLabel),
})

/** The environment of a function, by a secret: no list of services shows it. */
export function secretOf(name: string, spec: InstanceSpec, scale: Scale) {
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' },
    metadata: { name, labels: labelsOf(spec, scale) },
    stringData: spec.env,
  }
}

/** One version of a function. Knative starts and ends its copies. */
export function serviceOf(name: string, image: string, spec: InstanceSpec, scale: Scale) {
  const labels = labelsOf(spec, scale)
  const { minInstances, maxInstances } = scale.size()
  const memory = `${spec.memoryMb}Mi`
  const cpu = `${Math.round(nanoCpusOf(spec.memoryMb) / 1e6)}m`
  return {
    ...{ apiVersion: `${serving.group}/${serving.version}`, kind: 'Service' },
    metadata: { name, labels },
    spec: {
      template: {
        metadata: {
          labels,
          annotations: {
            'autoscaling.knative.dev/min-scale': String(minInstances),
            'autoscaling.knative.dev/max-scale': String(maxInstances),
          },
        },
        spec: {
          ...{ containerConcurrency: scale.concurrency, timeoutSeconds: Math.ceil(scale.timeoutMs / 1000) },
          ...{ automountServiceAccountToken: false, enableServiceLinks: false },
          containers: [
            {
              image,
              ports: [{ containerPort: 8000 }],
              envFrom: [{ secretRef: { name } }],
              resources: { requests: { memory, cpu: '100m' }, limits: { memory, cpu } },
              securityContext: {
                ...{ allowPrivilegeEscalation: false, runAsNonRoot: true, runAsUser: user },
                ...{ capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
              },
            },
          ],
        },
      },
    },
  }
}

/** Functions in a cluster ask nobody: what a function may connect to is held by a network of this server only. */
export const networkPolicy = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
  metadata: { name: 'loggia-functions' },
  spec: { podSelector: { matchLabels: { [label.own]: 'yes' } }, policyTypes: ['Egress'], egress: [] },
}

export type State = { is: 'ready'; url: string } | { is: 'failed'; message: string } | { is: 'waiting' }

/** What Knative says of a service; of an older generation it says nothing of this one. */
export function stateOf({ metadata, status }: KnativeService): State {
  const isOld = (status?.observedGeneration ?? 0) < (metadata.generation ?? 1)
  const ready = status?.conditions?.find(one => one.type === 'Ready')
  if (isOld || !ready || ready.status === 'Unknown') return { is: 'waiting' }
  if (ready.status === 'False') return { is: 'failed', message: ready.message ?? ready.reason ?? 'it is not ready' }
  return status?.url ? { is: 'ready', url: status.url } : { is: 'waiting' }
}
