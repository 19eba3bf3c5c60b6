import { service } from '../../../kernel/contract.ts'
import {
  AnyJson,
  integer,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

/** Service number 114; those of the brief keep their numbers. A zone that is none is 204290001, as everywhere. */
export const gatewayErrors = {
  unknownApi: [204290004, 404, 'There is no API named {apiName}.'],
  tooOften: [204290029, 429, '{apiName} takes {callsPerMinute} calls a minute; try again in {retryAfterSeconds} s.'],
  tooSlow: [204291001, 504, '{apiName} took longer than {timeoutMs} ms.'],
} as const

const ApiName = pattern('^[A-Za-z][A-Za-z0-9.]*$', 100, 'Menu.queryMenu')
/** What every generic call sends. */
export const Invocation = shape({
  apiName: ApiName,
  params: Type.String({
    maxLength: limits.paramsLength,
    examples: ['{}'],
    description: 'the parameters as a JSON text',
  }),
  zoneId: optional(AnyJson),
})
export const Payload = Type.Object({}, { additionalProperties: true })

const NamedApi = shape({
  apiName: ApiName,
  summary: Type.String(),
  audience: oneOf(['cp', 'sp', 'anonymous', 'manage']),
  may: Type.String(),
  zonePolicy: oneOf(['china', 'current']),
  service: Type.String(),
  method: Type.String(),
  path: Type.String(),
  callsPerMinute: integer(1, 1_000_000),
  timeoutMs: integer(1, 60_000),
  /** JSON schema of the parameters. */
  input: AnyJson,
  example: Payload,
})

export const gateway = service({
  name: 'ground/generic-gateway',
  prefix: '/gateway/v1',
  zone: 'current',
  permissions: [],
  errors: gatewayErrors,
  calls: {
    invoke: {
      method: 'POST',
      path: '/invoke',
      who: 'cp',
      may: 'none',
      summary:
        'Makes a call by its name: in the zone that zoneId names, in China for the names that always go there, else here',
      transaction: false,
      body: Invocation,
      answer: Payload,
    },
    listNamedApis: {
      method: 'GET',
      path: '/apis',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The named APIs with their schemas and an example of each',
      query: shape({ ...PageQuery, search: optional(text(100)), zonePolicy: optional(oneOf(['china', 'current'])) }),
      answer: pageOf(NamedApi),
    },
  },
})
