import { createHash } from 'node:crypto'
import type { RuleFieldType, RuleRequest } from './engine-types.ts'
import { RuleState } from './language/state.ts'
import type { Snapshot } from './tables.ts'

const longest = 256
const mostParts = 200

/** A request as it is kept: what is long is told by its digest, bytes and instants by what they are. */
export function snapshotOf(request: RuleRequest, state: RuleState | null): Snapshot {
  const { method, path, openPath, auth, app, ip, time, resource, requestResource, query, fields } = request
  const made: Snapshot = {
    method,
    path: path.map(one => one.slice(0, longest)),
    auth: shortened(auth),
    app: shortened(app),
    ip,
    time,
    fields: Object.fromEntries(fields ?? []),
    lookups: shortened(Object.fromEntries(state?.known ?? [])) as Record<string, unknown>,
  }
  if (openPath) made.openPath = openPath
  if (resource !== undefined) made.resource = shortened(resource)
  if (requestResource !== undefined) made.requestResource = shortened(requestResource)
  if (query) made.query = shortened(query)
  return made
}

function shortened(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return { $int: String(value) }
  if (value instanceof Date) return { $time: value.getTime() }
  if (value instanceof Uint8Array) {
    if (value.length > longest) return { $digest: digestOf(value), size: value.length }
    return { $bytes: Buffer.from(value).toString('base64') }
  }
  if (typeof value === 'string') {
    return Buffer.byteLength(value) > longest ? { $digest: digestOf(value), size: value.length } : value
  }
  if (value === null || typeof value !== 'object') return value ?? null
  if (depth > 20) return null
  if (Array.isArray(value)) return value.slice(0, mostParts).map(one => shortened(one, depth + 1))
  const parts = Object.entries(value).slice(0, mostParts)
  return Object.fromEntries(parts.map(([key, part]) => [key, shortened(part, depth + 1)]))
}

const digestOf = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex')

function restored(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(restored)
  const one = value as Record<string, unknown>
  if (typeof one['$int'] === 'string') return BigInt(one['$int'])
  if (typeof one['$time'] === 'number') return new Date(one['$time'])
  if (typeof one['$bytes'] === 'string') return new Uint8Array(Buffer.from(one['$bytes'], 'base64'))
  if (typeof one['$digest'] === 'string') return `sha256:${one['$digest']}`
  return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, restored(part)]))
}

/** The kept request, to be decided again; what it looked up is known. */
export function requestOf(snapshot: Snapshot): { request: RuleRequest; state: RuleState } {
  const { fields, lookups, ...rest } = snapshot
  const request = { ...(restored(rest) as Omit<RuleRequest, 'fields'>) } as RuleRequest
  request.fields = new Map(Object.entries(fields) as [string, RuleFieldType][])
  const state = new RuleState(Number.MAX_SAFE_INTEGER)
  for (const [key, value] of Object.entries(lookups)) state.known.set(key, restored(value))
  return { request, state }
}
