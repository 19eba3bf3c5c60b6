import type { RuleFields, RuleFieldType } from '../engine-types.ts'

export type Path = readonly string[]

/** Which parts of a variable a condition reads; `all` where it takes it whole. */
export type Reads = 'all' | Map<string, Reads>

/** A plain value as conditions know it: whole numbers are bigint, instants are Date. Only what is read is converted. */
export function toCel(value: unknown, reads: Reads, fields: RuleFields | undefined, place: string): unknown {
  if (reads === 'all') return convert(value, fields, place)
  if (value === null || typeof value !== 'object') return convert(value, fields, place)
  const source = value as Record<string, unknown>
  const made: Record<string, unknown> = {}
  for (const [key, part] of reads) {
    if (!Object.hasOwn(source, key) || source[key] === undefined) continue
    made[key] = toCel(source[key], part, fields, place === '' ? key : `${place}.${key}`)
  }
  return made
}

function convert(value: unknown, fields: RuleFields | undefined, place: string): unknown {
  switch (typeof value) {
    case 'string': {
      const type = fields?.get(place)
      return type === undefined || type === 'string' ? value : typed(value, type)
    }
    case 'number': {
      const type = fields?.get(place)
      if (type !== undefined) return typed(value, type)
      return Number.isInteger(value) ? BigInt(value) : value
    }
    case 'bigint':
      return fields?.get(place) === 'double' ? Number(value) : value
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : convertObject(value, fields, place)
    default:
      return null
  }
}

function convertObject(value: object, fields: RuleFields | undefined, place: string): unknown {
  if (value instanceof Date) return value
  if (value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(one => convert(one, undefined, ''))
  const made: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key]
    if (part === undefined || key === '__proto__') continue
    made[key] = convert(part, fields, place === '' ? key : `${place}.${key}`)
  }
  return made
}

/** What does not fit its type stays a text or number, and is compared as such. */
function typed(value: string | number, type: RuleFieldType): unknown {
  switch (type) {
    case 'int':
      if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
      return /^-?[0-9]{1,20}$/.test(value) ? BigInt(value) : value
    case 'float':
    case 'double':
      return Number(value)
    case 'timestamp': {
      const at = new Date(value)
      return Number.isNaN(at.getTime()) ? value : at
    }
    case 'bytes':
      return typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value
    default:
      return value
  }
}

/** A value for people: short, and what is long only by its beginning. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (value instanceof Date) return `timestamp("${value.toISOString()}")`
  if (value instanceof Uint8Array) return `bytes(${value.length})`
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part === 'bigint') return Number.isSafeInteger(Number(part)) ? Number(part) : String(part)
    return part instanceof Uint8Array ? `bytes(${part.length})` : part
  })
  if (text === undefined) return typeof value
  return text.length > 240 ? `${text.slice(0, 240)}…` : text
}
