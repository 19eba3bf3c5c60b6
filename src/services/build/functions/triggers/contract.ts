import { type CallSpec, service } from '../../../../kernel/contract.ts'
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
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { asyncLimits } from '../queue/rules.ts'
import { aliasPattern } from '../rules.ts'
import { authTypes, missedPolicies, topicPattern, triggerTypes } from './rules.ts'

const Qualifier = pattern(`^(\\$latest|[1-9][0-9]{0,8}|${aliasPattern.slice(1, -1)})$`, 63, '$latest')
const Name = pattern('^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$', 63, 'every morning')

/** What each kind takes of it, its rules say; the rest is left out. */
const Config = shape({
  authType: optional(oneOf([...authTypes])),
  /** Whether the path of an HTTP call comes decoded. */
  enableUrlDecode: optional(flag()),
  /** As the field's clients send them; the type alone decides. */
  authFlag: optional(flag()),
  authAlgor: optional(text(40)),
  cron: optional(text(120, 1)),
  timezone: optional(text(64, 1)),
  missed: optional(oneOf([...missedPolicies])),
  payload: optional(AnyJson),
  zone: optional(text(64)),
  objectType: optional(text(64)),
  fields: optional(list(text(64, 1), { maxItems: 100 })),
  bucketId: optional(text(63)),
  prefix: optional(text(500)),
  suffix: optional(text(500)),
  events: optional(list(text(40), { maxItems: 10 })),
  topic: optional(text(128)),
})

export const TriggerShape = shape({
  triggerId: Id,
  functionId: Id,
  name: text(63),
  typeCode: oneOf([...triggerTypes]),
  qualifier: text(63),
  config: Config,
  isEnabled: flag(),
  status: oneOf(['ACTIVE', 'DISABLED']),
  /** Of one that HTTP calls. */
  url: nullable(text(400)),
  /** The next times of a timer that is on. */
  nextRuns: list(Instant),
  fired: integer(0, Number.MAX_SAFE_INTEGER),
  lastFiredAt: nullable(Instant),
  lastResult: nullable(oneOf(['SUCCESS', 'FAIL', 'DISCARD', 'RETRY', 'REFUSED'])),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const ofFunction = shape({ functionId: Id })
const Names = shape({ list: list(shape({ id: text(40) })) })

/** What calls a function besides apps: addresses, timers, and what happens in other services. */
export const functionTriggers = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: { noVersion: functionErrors.noVersion, tooMany: functionErrors.tooMany, loop: functionErrors.loop },
  calls: {
    listTriggers: {
      ...read,
      method: 'GET',
      path: '/trigger/list/:functionId',
      summary: 'Triggers of a function, or of one of its versions and aliases',
      params: ofFunction,
      query: shape({ qualifier: optional(Qualifier) }),
      answer: shape({ total: integer(0, 10_000), list: list(TriggerShape), nextCursor: nullable(text(20)) }),
    },
    createTrigger: {
      ...edit,
      method: 'POST',
      path: '/:functionId/trigger',
      summary: 'A new trigger of a version or an alias',
      params: ofFunction,
      body: shape({
        typeCode: oneOf([...triggerTypes]),
        qualifier: Qualifier,
        name: Name,
        config: Config,
        isEnabled: optional(flag()),
      }),
      answer: shape({ triggerId: Id, url: nullable(text(400)), trigger: TriggerShape }),
    },
    updateTrigger: {
      ...edit,
      method: 'PUT',
      path: '/:functionId/trigger',
      summary: 'Changes a trigger, switches it on or off; its kind and its address stay',
      params: ofFunction,
      body: shape({
        triggerId: Id,
        revision: Revision,
        qualifier: optional(Qualifier),
        name: optional(Name),
        config: optional(Config),
        isEnabled: optional(flag()),
      }),
      answer: shape({ trigger: TriggerShape }),
    },
    deleteTrigger: {
      ...edit,
      method: 'POST',
      path: '/:functionId/trigger/delete',
      summary: 'Takes a trigger away; calls that wait are made all the same',
      params: ofFunction,
      body: shape({ triggerId: Id }),
    },
    listAlgorithms: {
      ...read,
      method: 'GET',
      path: '/trigger/algorithm',
      summary: 'Algorithms that calls of addresses may be signed with',
      answer: Names,
    },
    listAuthTypes: {
      ...read,
      method: 'GET',
      path: '/trigger/authtypes',
      summary: 'Who may call the address of a trigger',
      answer: Names,
    },
    publishEvent: {
      ...edit,
      method: 'POST',
      path: '/events',
      summary: 'Publishes to a topic: calls every function whose trigger waits for it',
      bodyLimit: asyncLimits.payloadBytes + 4096,
      body: shape({
        projectId: Id,
        topic: pattern(topicPattern, 128, 'orders.paid'),
        data: AnyJson,
        /** The same one again is the same event. */
        id: optional(text(64, 1)),
      }),
      answer: shape({ eventId: text(64), calls: integer(0, 10_000) }),
    },
  },
})
