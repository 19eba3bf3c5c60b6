import { service } from '../../../kernel/contract.ts'
import {
  AnyJson,
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { deliveryStates, endpointStates, limits } from './rules.ts'

const EventTypes = Type.Array(text(60, 1), { maxItems: 100, uniqueItems: true })
const Url = text(limits.urlLength, 1, { pattern: '^https?://', examples: ['https://hooks.example.com/loggia'] })

export const Endpoint = shape({
  endpointId: Id,
  projectId: nullable(Id),
  name: text(limits.nameLength, 1),
  url: text(limits.urlLength),
  /** None means all, also those that come later. */
  eventTypes: EventTypes,
  state: oneOf(endpointStates),
  allowedActions: list(text(20)),
  failingSince: nullable(Instant),
  oldSecretUntil: nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

/** Shown once; afterwards nobody can read it, it can only be replaced. */
const Secret = text(100)

export const Delivery = shape({
  deliveryId: Id,
  endpointId: Id,
  eventId: nullable(Id),
  type: text(60),
  state: oneOf(deliveryStates),
  tries: integer(0, 1000),
  nextTryAt: nullable(Instant),
  lastStatus: nullable(integer(0, 999)),
  lastTriedAt: nullable(Instant),
  createdAt: Instant,
})

const Headers = Type.Record(Type.String(), Type.String())

export const Try = shape({
  tryId: Id,
  at: Instant,
  durationMs: integer(0, 2_147_483_647),
  isAccepted: flag(),
  status: nullable(integer(0, 999)),
  problem: nullable(text(300)),
  requestHeaders: Headers,
  answerHeaders: Headers,
  answerBody: text(limits.shownBytes),
  isCut: flag(),
})

const EndpointParams = shape({ endpointId: Id })
const DeliveryParams = shape({ deliveryId: Id })
const Count = integer(0, 2_147_483_647)

export const webhooks = service({
  name: 'ground/webhooks',
  prefix: '/webhooks/v1',
  zone: 'current',
  permissions: ['webhooks.read', 'webhooks.edit'],
  errors: {
    tooManyEndpoints: [201080001, 422, 'A team has at most {limit} webhooks in a zone; delete one first.'],
    notEnabled: [201080002, 422, 'This webhook is {state}; enable it before something is sent.'],
  },
  calls: {
    listEventTypes: {
      method: 'GET',
      path: '/event-types',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'Every event a webhook can hear of, with an example of what is sent',
      answer: shape({ list: list(shape({ type: text(60), example: AnyJson })) }),
    },
    listEndpoints: {
      method: 'GET',
      path: '/endpoints',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'The webhooks of the team, those of its projects too',
      query: shape({
        search: optional(text(64)),
        state: optional(oneOf(endpointStates)),
        projectId: optional(Id),
        ...PageQuery,
      }),
      answer: pageOf(Endpoint),
    },
    createEndpoint: {
      method: 'POST',
      path: '/endpoints',
      who: 'cp',
      may: 'webhooks.edit',
      transaction: false,
      summary: 'Adds a webhook; the secret it signs with is told once',
      body: shape({
        name: text(limits.nameLength, 1),
        url: Url,
        projectId: optional(Id),
        eventTypes: EventTypes,
      }),
      answer: shape({ endpoint: Endpoint, secret: Secret }),
    },
    getEndpoint: {
      method: 'GET',
      path: '/endpoints/:endpointId',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'One webhook',
      params: EndpointParams,
      answer: Endpoint,
    },
    updateEndpoint: {
      method: 'PUT',
      path: '/endpoints/:endpointId',
      who: 'cp',
      may: 'webhooks.edit',
      transaction: false,
      summary: 'Changes a webhook; another address gets another secret, told once, and the old one ends',
      params: EndpointParams,
      body: shape({ name: text(limits.nameLength, 1), url: Url, eventTypes: EventTypes, revision: Revision }),
      answer: shape({ endpoint: Endpoint, secret: nullable(Secret) }),
    },
    deleteEndpoint: {
      method: 'DELETE',
      path: '/endpoints/:endpointId',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Deletes a webhook with its log; what waits is not sent',
      params: EndpointParams,
    },
    rotateSecret: {
      method: 'POST',
      path: '/endpoints/:endpointId/secret',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Makes a new secret, told once; the old one signs too for as many hours as wanted',
      params: EndpointParams,
      body: shape({ overlapHours: integer(0, limits.overlapHours), revision: Revision }),
      answer: shape({ endpoint: Endpoint, secret: Secret }),
    },
    enableEndpoint: {
      method: 'POST',
      path: '/endpoints/:endpointId/enable',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Sends again, from the next event on; what failed meanwhile can be replayed',
      params: EndpointParams,
      body: shape({ revision: Revision }),
      answer: Endpoint,
    },
    disableEndpoint: {
      method: 'POST',
      path: '/endpoints/:endpointId/disable',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Sends nothing any more; what waits has failed and can be replayed',
      params: EndpointParams,
      body: shape({ revision: Revision }),
      answer: Endpoint,
    },
    testEndpoint: {
      method: 'POST',
      path: '/endpoints/:endpointId/test',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Sends an example of an event, signed like a real one',
      params: EndpointParams,
      body: shape({ type: optional(text(60, 1)) }),
      answer: Delivery,
    },
    getStatistics: {
      method: 'GET',
      path: '/endpoints/:endpointId/statistics',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'Tries by UTC day: how many were accepted, how many were not, and how long they took',
      params: EndpointParams,
      query: shape({ days: optional(integer(1, limits.chartDays)) }),
      answer: shape({
        list: list(
          shape({
            day: text(10),
            accepted: Count,
            refused: Count,
            medianMs: nullable(Count),
          }),
        ),
      }),
    },
    listDeliveries: {
      method: 'GET',
      path: '/endpoints/:endpointId/deliveries',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'What was and will be sent, the newest first',
      params: EndpointParams,
      query: shape({
        state: optional(oneOf(deliveryStates)),
        type: optional(text(60)),
        since: optional(Instant),
        ...PageQuery,
      }),
      answer: pageOf(Delivery),
    },
    replayFailed: {
      method: 'POST',
      path: '/endpoints/:endpointId/replay',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Sends everything again that failed since a time, under the same ids',
      params: EndpointParams,
      body: shape({ since: Instant }),
      answer: shape({ replayed: Count }),
    },
    getDelivery: {
      method: 'GET',
      path: '/deliveries/:deliveryId',
      who: 'cp',
      may: 'webhooks.read',
      summary: 'One delivery with its body and every try: what was sent and what came back',
      params: DeliveryParams,
      answer: shape({ delivery: Delivery, body: text(1_000_000), tries: list(Try) }),
    },
    replayDelivery: {
      method: 'POST',
      path: '/deliveries/:deliveryId/replay',
      who: 'cp',
      may: 'webhooks.edit',
      summary: 'Sends one delivery again, under the same id',
      params: DeliveryParams,
      answer: Delivery,
    },
  },
})
