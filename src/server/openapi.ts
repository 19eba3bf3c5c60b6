import type { CallSpec, Contract } from '../kernel/contract.ts'
import { commonErrors } from '../kernel/errors.ts'
import { headers, sessionCookie } from '../kernel/wire.ts'
import { isForPrograms } from './http/bearer-gate.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of some contracts, printed from the very schemas that validate. */
export function openApiOf(contracts: readonly Contract[], title: string): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    for (const [name, call] of Object.entries(contract.calls)) {
      const path = (contract.prefix + call.path).replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
      paths[path] ??= {}
      paths[path][call.method.toLowerCase()] = operation(contract, name, call)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description: 'Answers carry `ret`; a failure is problem+json with its real status.' },
    servers: [{ url: '/', description: 'the zone of the team' }],
    tags: contracts.map(contract => ({ name: contract.name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        csrf: { type: 'apiKey', in: 'header', name: headers.csrf },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: { Problem: problemSchema, Ret: retSchema },
    },
  }
}

const retSchema = {
  type: 'object',
  required: ['code', 'msg'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' } },
}
const problemSchema = {
  type: 'object',
  required: ['ret', 'title', 'status', 'requestId'],
  properties: {
    ret: { $ref: '#/components/schemas/Ret' },
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    instance: { type: 'string' },
    requestId: { type: 'string' },
    fields: { type: 'array', items: { type: 'object' } },
  },
}

function operation(contract: Contract, name: string, call: CallSpec): Json {
  const isOpen = call.who === 'anonymous'
  return {
    operationId: `${contract.name.replaceAll('/', '.')}.${name}`,
    summary: call.summary,
    tags: [contract.name],
    'x-audience': call.who,
    'x-permission': call.may,
    'x-zone': call.zone ?? contract.zone,
    security: isOpen ? [] : [call.method === 'GET' ? { session: [] } : { session: [], csrf: [] }, ...tokenOf(call)],
    parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query'), ...teamParameter(call)],
    ...(isStream(call) ? { requestBody: { required: true, content: { 'application/octet-stream': {} } } } : {}),
    ...(call.body && !isStream(call)
      ? { requestBody: { required: true, content: { [bodyTypeOf(call)]: { schema: plain(call.body) } } } }
      : {}),
    responses: {
      '200': answerOf(call),
      ...refusalsOf(contract),
      default: {
        description: 'A refusal',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function isStream(call: CallSpec): boolean {
  const sendsBody = call.method === 'POST' || call.method === 'PUT' || call.method === 'PATCH'
  return call.kind === 'upload' || (call.kind === 'protocol' && sendsBody && call.body === undefined)
}

function tokenOf(call: CallSpec): Json[] {
  return isForPrograms(call) ? [{ token: [] }] : []
}

function bodyTypeOf(call: CallSpec): string {
  return call.kind === 'standard' ? 'application/x-www-form-urlencoded' : 'application/json'
}

function answerOf(call: CallSpec): Json {
  if (call.kind === 'standard') {
    return {
      description: 'As the standard says',
      content: { 'application/json': { schema: plain(call.answer ?? {}) } },
    }
  }
  if (call.kind === 'protocol') return { description: 'As the protocol says' }
  if (call.kind === 'download') return { description: 'The bytes', content: { 'application/octet-stream': {} } }
  const answer = (plain(call.answer ?? { type: 'object', properties: {} }) as Json) ?? {}
  const schema = {
    ...answer,
    properties: { ret: { $ref: '#/components/schemas/Ret' }, ...((answer['properties'] as Json) ?? {}) },
    required: ['ret', ...((answer['required'] as string[]) ?? [])],
  }
  return { description: 'Done', content: { 'application/json': { schema } } }
}

/** The refusals a service names, by status. */
function refusalsOf(contract: Contract): Json {
  const byStatus = new Map<number, string[]>()
  const rows = [...Object.values(contract.errors), commonErrors.badInput, commonErrors.notFound]
  for (const [number, status, sentence] of rows) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${number}: ${sentence}`])
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [String(status), { description: lines.join('\n'), content }]),
  )
}

function parametersOf(schema: unknown, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (plain(schema ?? {}) as { properties?: Json; required?: string[] }) ?? {}
  return Object.entries(properties).map(([name, property]) => ({
    name: name === '*' ? 'path' : name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function teamParameter(call: CallSpec): Json[] {
  const needsTeam = (call.who === 'cp' || call.who === 'sp') && call.team !== 'none'
  return needsTeam ? [{ name: 'teamId', in: 'header', required: true, schema: { type: 'string' } }] : []
}

/** Drops the serialiser's `nullable` for the union that OpenAPI 3.1 knows. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema as Json
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plain(value)]))
  return nullable ? { anyOf: [copy, { type: 'null' }] } : copy
}
