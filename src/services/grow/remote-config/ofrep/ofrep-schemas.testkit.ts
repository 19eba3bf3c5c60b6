import { Ajv } from 'ajv'

/**
 * What the OpenFeature Remote Evaluation Protocol 0.3 says of each answer, as JSON schemas in our words: github.com/open-feature/protocol,
 * service/openapi.yaml (answers of both calls) and service/event-streams.yaml with ADR 6 (no value is the default of the
 * code) and ADR 8 (streams). No package carries the document. Stricter where it leaves a field open that a client needs.
 */
const text = { type: 'string', minLength: 1 } as const
const address = { type: 'string', pattern: '^https?://[^/\\s]' } as const
/** Seconds since 1970, or a time of ISO 8601. */
const time = {
  oneOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' },
  ],
} as const
const metadata = { type: 'object', additionalProperties: { type: ['boolean', 'string', 'number'] } } as const

const success = {
  type: 'object',
  required: ['key', 'reason'],
  properties: {
    key: text,
    value: { type: ['boolean', 'string', 'number', 'object'] },
    reason: { enum: ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN'] },
    variant: text,
    metadata,
  },
  // What holds by the default of the code has neither a value nor a variant.
  dependencies: { value: ['variant'], variant: ['value'] },
  additionalProperties: false,
} as const

const failureWith = (...codes: string[]) =>
  ({
    type: 'object',
    required: ['key', 'errorCode'],
    properties: { key: text, errorCode: { enum: codes }, errorDetails: text, metadata },
    additionalProperties: false,
  }) as const

const failure = failureWith('PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL')

const eventStream = {
  type: 'object',
  required: ['type'],
  properties: {
    type: text,
    url: address,
    endpoint: {
      type: 'object',
      required: ['requestUri'],
      properties: { origin: address, requestUri: { type: 'string', pattern: '^/' } },
      additionalProperties: false,
    },
    inactivityDelaySec: { type: 'integer', minimum: 1 },
  },
  oneOf: [{ required: ['url'] }, { required: ['endpoint'] }],
  additionalProperties: false,
} as const

const bulkFailure = {
  type: 'object',
  required: ['errorCode'],
  properties: { errorCode: text, errorDetails: text, metadata },
  additionalProperties: false,
} as const

const general = { type: 'object', properties: { errorDetails: text }, additionalProperties: false } as const

const schemas = {
  success,
  failure,
  notFound: failureWith('FLAG_NOT_FOUND'),
  bulk: {
    type: 'object',
    required: ['flags'],
    properties: {
      flags: { type: 'array', items: { oneOf: [success, failure] } },
      metadata,
      eventStreams: { type: 'array', items: eventStream },
    },
    additionalProperties: false,
  },
  bulkFailure,
  general,
  /** The data of an event; what else it has, clients leave alone. */
  event: {
    type: 'object',
    required: ['type'],
    properties: { type: text, etag: text, lastModified: time },
  },
} as const

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false })
const compiled = Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)] as const)
const checks = new Map(compiled)

/** What is wrong with an answer, in words; none where it is as the protocol says. */
export function faultsAs(name: keyof typeof schemas, answer: unknown): string[] {
  const check = checks.get(name)
  if (!check) throw new Error(`no schema ${name}`)
  return check(answer) ? [] : (check.errors ?? []).map(one => `${one.instancePath} ${one.message}`)
}
