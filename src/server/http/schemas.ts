import { Ajv, type ErrorObject } from 'ajv'
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

/** Fastify's validator compiler: one Ajv for bodies, one that coerces for addresses. */
export function compileValidator({ schema, httpPart = 'body' }: { schema: unknown; httpPart?: string }) {
  const ajv = httpPart === 'body' ? forBodies : forAddresses
  const validate = ajv.compile(schema as object)
  const part = httpPart === 'querystring' ? 'query' : httpPart === 'params' ? 'path' : 'body'
  return (value: unknown) => {
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
  return { in: part, pointer, rule: error.keyword, message }
}

/** Compiles the answer's schema into a serialiser that drops what it does not name and puts `ret` in front. */
export function compileEnvelope(answer: object | undefined): (payload: unknown) => string {
  const head = '{"ret":{"code":0,"msg":"success"}'
  if (!answer) return () => `${head}}`
  const stringify = fastJsonStringify(answer as fastJsonStringify.Schema, { mode: undefined as never })
  return payload => {
    const json = payload instanceof PreparedAnswer ? payload.json : stringify(payload)
    return json === '{}' ? `${head}}` : `${head},${json.slice(1)}`
  }
}
