import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Static } from '../../../../kernel/shape.ts'
import { projects } from '../../projects/contract.ts'
import { type Delivery, type Endpoint, type Try, webhooks } from '../contract.ts'
import type { DeliveryState, EndpointState } from '../rules.ts'

export const api = client(webhooks)
export const projectsApi = client(projects)
export type EndpointView = Static<typeof Endpoint>
export type DeliveryView = Static<typeof Delivery>
export type TryView = Static<typeof Try>

export const toneOfEndpoint: Readonly<Record<EndpointState, Tone>> = {
  ENABLED: 'good',
  DISABLED: 'stopped',
  FAILED: 'bad',
}

export const toneOfDelivery: Readonly<Record<DeliveryState, Tone>> = {
  WAITING: 'waiting',
  QUEUED: 'waiting',
  SENDING: 'running',
  DELIVERED: 'good',
  FAILED: 'bad',
}
