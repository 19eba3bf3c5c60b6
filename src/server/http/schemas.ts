import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import fastJsonStringify from 'fast-json-stringify'
import type { FieldError } from '../../kernel/errors.ts'
import { PreparedAnswer } from '../implement.ts'
import { badInput } from './problem.ts'

const options = { allErrors: true, allowUnionTypes: true, strict: false, useDefaults: false }
/** A body is taken as it is: `"1"` is no number. */
const forBodies = new Ajv(options)
/** Query and path are text by nature. */
const forAddresses = new Ajv({ ...options, coerceTypes: 'array' })
const shownErrors = 20

/**
 * Fastify's validator compiler: one Ajv for bodies, one that coerces for addresses. What a compiler does is done at the
 * first call: most calls of a start are never made, and compiling all of them at once leaves V8 thousands of hidden
 * classes under the empty object, beyond which every object of the process gets slow.
 */
export function compileValidator({ schema, httpPart = 'body' }: { schema: unknown; httpPart?: string }) {
  const ajv = httpPart === 'body' ? forBodies : forAddresses
  let compiled: ValidateFunction | undefined
  const part = httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'path' : 'body'
  return (value: unknown) => {
    compiled ??= ajv.compile(schema as object)
    const validate = compiled
    if (validate(value)) return { value }
    return { error: badInput((validate.errors ?? []).slice(0, shownErrors).map(error => fieldError(error, part))) }
  }
}

function fieldError(error: ErrorObject, part: FieldError['in']): FieldError {
  const { missingProperty, additionalProperty, allowedValues } = error.params as Record<string, string & string[]>
  const pointer =
    error.instancePath + (missingProperty || additionalProperty ? `/${missingProperty ?? additionalProperty}` : '')
  const words = allowedValues
    ? `must be one of ${allowedValues.filter(value => value !== null).join(', ')}`
    : error.message
  const message = missingProperty
    ? 'is missing'
    : additionalProperty
      ? 'is not a field of this call'
      : (words ?? error.keyword)
  const { limit } = error.params as { limit?: unknown }
  return { in: part, pointer, rule: error.keyword, message, ...(typeof limit === 'number' && { limit }) }
}

/** The answer's schema as a serialiser that drops what it does not name and puts `ret` in front; compiled at the first answer. */
export function compileEnvelope(answer: object | undefined): (payload: unknown) => string {
  if (!answer) return () => `${head}}`
  let stringify: ((payload: unknown) => string) | undefined
  return payload => {
    if (payload instanceof PreparedAnswer) {
      payload.text ??= withHead(payload.json)
      return payload.text
    }
    stringify ??= serialiserOf(withRet(answer))
    return stringify({ ...(payload as object), ret: success })
  }
}

const success = { code: 0, msg: 'success' }
const head = `{"ret":${JSON.stringify(success)}`
const ret = {
  type: 'object',
  properties: { code: { type: 'integer' }, msg: { type: 'string' } },
  required: ['code', 'msg'],
}

function withRet(answer: { properties?: object; required?: string[] }): object {
  const { properties, required = [] } = answer
  return { ...answer, properties: { ret, ...properties }, required: ['ret', ...required] }
}

function withHead(json: string): string {
  return json === '{}' ? `${head}}` : `${head},${json.slice(1)}`
}

/** The same without `ret`. */
export function compilePayload(answer: object | undefined): (payload: unknown) => string {
  if (!answer) return () => '{}'
  let stringify: ((payload: unknown) => string) | undefined
  return payload => {
    if (payload instanceof PreparedAnswer) return payload.json
    stringify ??= serialiserOf(answer)
    return stringify(payload)
  }
}

/** Writes what the schema names and drops the rest. */
export function serialiserOf(schema: object): (payload: unknown) => string {
  return fastJsonStringify(schema as fastJsonStringify.Schema, { mode: undefined as never })
}
