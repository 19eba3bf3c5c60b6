import { type AddressRange, addressOf, isInRanges, rangeOf } from './address.ts'
import { canonicalText, microOf, microPercent, plainNumber, unitOf } from './bucket.ts'
import { finderOf } from './regex.ts'
import { type Json, type Leaf, type LeafOp, nowAttribute, type PercentValue } from './rule.ts'
import { compareVersions, type Version, versionOf } from './semver.ts'
import { clockOf, instantOf } from './when.ts'

/** What a rule is asked about. `isInAudience` knows the unit; without it nobody is in an audience, or outside of one. */
export interface EvaluationContext {
  attributes: Readonly<Record<string, unknown>>
  now: number
  isInAudience?(id: string): boolean
}

export type Outcome = 'true' | 'false' | 'missing'

type ValueTest = (value: unknown, context: EvaluationContext) => boolean

/** Ops that hold of an attribute that is not there (brief growth 8.1). */
const heldByAbsence: readonly LeafOp[] = ['ne', 'nin', 'ncontains']

/** The value of an attribute, of the context's own ones only: `__proto__` and `constructor` are names like others. */
function attributeOf(context: EvaluationContext, name: string): unknown {
  if (name === nowAttribute) return context.now
  return Object.hasOwn(context.attributes, name) ? context.attributes[name] : undefined
}

/** What a leaf says of a context. The leaf has no problems. */
export function leafOutcome(leaf: Leaf): (context: EvaluationContext) => Outcome {
  const { attr, op } = leaf
  if (op === 'percent') return percentOutcome(leaf.value as unknown as PercentValue)
  if (op === 'inAudience' || op === 'ninAudience') return audienceOutcome(leaf)
  const test = valueTest(leaf)
  const isHeld = heldByAbsence.includes(op) || (op === 'exists' && leaf.value === false)
  const absent: Outcome = isHeld ? 'true' : op === 'exists' ? 'false' : 'missing'
  return context => {
    const value = attributeOf(context, attr)
    if (value === undefined || value === null) return absent
    return test(value, context) ? 'true' : 'false'
  }
}

function percentOutcome({ ns, seed, unitAttr, lo, hi }: PercentValue): (context: EvaluationContext) => Outcome {
  const from = microOf(lo)
  const to = microOf(hi)
  return context => {
    const unit = unitOf(attributeOf(context, unitAttr))
    if (unit === undefined) return 'missing'
    const place = microPercent(ns, seed, unit)
    return place >= from && place < to ? 'true' : 'false'
  }
}

function audienceOutcome({ attr, op, value }: Leaf): (context: EvaluationContext) => Outcome {
  const ids = (Array.isArray(value) ? value : [value]) as string[]
  const wanted = op === 'inAudience'
  return context => {
    if (unitOf(attributeOf(context, attr)) === undefined || !context.isInAudience) return 'missing'
    for (const id of ids) if (context.isInAudience(id)) return wanted ? 'true' : 'false'
    return wanted ? 'false' : 'true'
  }
}

/** What an explanation shows of the context: the attribute as it came; for `percent` the unit and its place. */
export function actualOf({ attr, op, value }: Leaf, context: EvaluationContext): Json | undefined {
  if (op !== 'percent') return attributeOf(context, attr) as Json | undefined
  const { ns, seed, unitAttr } = value as unknown as PercentValue
  const unit = unitOf(attributeOf(context, unitAttr))
  return unit === undefined ? undefined : { unit, percent: microPercent(ns, seed, unit) / 1_000_000 }
}

/** A text, number or flag as canonical text: what texts of rules are compared with. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return canonicalText(value)
  if (typeof value === 'number') return plainNumber(value)
  return typeof value === 'boolean' ? String(value) : undefined
}

const decimal = /^-?\d+(?:\.\d+)?$/

/** A number, or a text that is one: queries and headers bring numbers as text. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.length < 40 && decimal.test(value) ? Number(value) : Number.NaN
}

/** Equality by the kind of what the rule says: its texts with texts, its numbers with numbers or texts that are such. */
function equalsOneOf(wanted: readonly Json[], fold: (text: string) => string): (value: unknown) => boolean {
  const texts = new Set(wanted.filter(one => typeof one === 'string').map(one => fold(canonicalText(one))))
  const numbers = new Set(wanted.filter(one => typeof one === 'number'))
  const flags = new Set(wanted.filter(one => typeof one === 'boolean').map(String))
  return value => {
    const text = texts.size > 0 || flags.size > 0 ? textOf(value) : undefined
    if (text !== undefined && (texts.has(fold(text)) || (flags.has(text) && typeof value !== 'number'))) return true
    return numbers.size > 0 && numbers.has(numberOf(value))
  }
}

const anyOf = (test: (value: unknown) => boolean): ValueTest => {
  return value => (Array.isArray(value) ? value.some(test) : test(value))
}
const negated = (test: ValueTest): ValueTest => {
  return (value, context) => !test(value, context)
}
const same = (text: string) => text
const lower = (text: string) => text.toLowerCase()

function valueTest(leaf: Leaf): ValueTest {
  const { op, value, zone, isCaseInsensitive } = leaf
  const fold = isCaseInsensitive ? lower : same
  switch (op) {
    case 'eq':
      return equalsOneOf([value as Json], fold)
    case 'ne':
      return negated(equalsOneOf([value as Json], fold))
    case 'in':
      return anyOf(equalsOneOf(value as Json[], fold))
    case 'nin':
      return negated(anyOf(equalsOneOf(value as Json[], fold)))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'between':
      return numberTest(op, value)
    case 'contains':
      return containsTest(fold(canonicalText(String(value))), fold)
    case 'ncontains':
      return negated(containsTest(fold(canonicalText(String(value))), fold))
    case 'startsWith':
    case 'endsWith':
      return edgeTest(op, fold(canonicalText(String(value))), fold)
    case 'regex':
      return textTest(finderOf(String(value), isCaseInsensitive === true))
    case 'exists':
      return () => value === true
    case 'semver_eq':
    case 'semver_gt':
    case 'semver_gte':
    case 'semver_lt':
    case 'semver_lte':
      return versionTest(op, versionOf(value) as Version)
    case 'before':
    case 'after':
      return instantTest(op, instantOf(value, zone) as number, zone)
    case 'dowIn':
    case 'hourIn':
      return clockTest(op, value as number[], zone as string)
    case 'withinGeo':
      return placeTest(value as unknown as { lat: number; lon: number; meters: number })
    case 'cidr': {
      const ranges = (Array.isArray(value) ? value : [value]).map(rangeOf) as AddressRange[]
      return actual => {
        const address = addressOf(actual)
        return address !== undefined && isInRanges(address, ranges)
      }
    }
    case 'percent':
    case 'inAudience':
    case 'ninAudience':
      return () => false
  }
}

function numberTest(op: 'gt' | 'gte' | 'lt' | 'lte' | 'between', value: unknown): ValueTest {
  if (op === 'between') {
    const [lo, hi] = value as [number, number]
    return actual => {
      const number = numberOf(actual)
      return number >= lo && number <= hi
    }
  }
  const wanted = value as number
  if (op === 'gt') return actual => numberOf(actual) > wanted
  if (op === 'gte') return actual => numberOf(actual) >= wanted
  if (op === 'lt') return actual => numberOf(actual) < wanted
  return actual => numberOf(actual) <= wanted
}

function textTest(test: (text: string) => boolean): ValueTest {
  return value => {
    const text = textOf(value)
    return text !== undefined && test(text)
  }
}

/** Of a list it holds where one entry is the wanted text. */
function containsTest(wanted: string, fold: (text: string) => string): ValueTest {
  const inText = textTest(text => fold(text).includes(wanted))
  const isEntry = (entry: unknown) => {
    const text = textOf(entry)
    return text !== undefined && fold(text) === wanted
  }
  return (value, context) => (Array.isArray(value) ? value.some(isEntry) : inText(value, context))
}

function edgeTest(op: 'startsWith' | 'endsWith', wanted: string, fold: (text: string) => string): ValueTest {
  return op === 'startsWith'
    ? textTest(text => fold(text).startsWith(wanted))
    : textTest(text => fold(text).endsWith(wanted))
}

function versionTest(op: LeafOp, wanted: Version): ValueTest {
  const accepts: Partial<Record<LeafOp, (order: number) => boolean>> = {
    semver_eq: order => order === 0,
    semver_gt: order => order > 0,
    semver_gte: order => order >= 0,
    semver_lt: order => order < 0,
    semver_lte: order => order <= 0,
  }
  const accept = accepts[op] as (order: number) => boolean
  return value => {
    const version = versionOf(value)
    return version !== undefined && accept(compareVersions(version, wanted))
  }
}

function instantTest(op: 'before' | 'after', wanted: number, zone: string | undefined): ValueTest {
  return value => {
    const at = instantOf(value, zone)
    return at !== undefined && (op === 'before' ? at < wanted : at > wanted)
  }
}

function clockTest(op: 'dowIn' | 'hourIn', wanted: readonly number[], zone: string): ValueTest {
  const clock = clockOf(zone)
  const read = op === 'dowIn' ? clock.dayAt : clock.hourAt
  return value => {
    const at = instantOf(value, zone)
    return at !== undefined && wanted.includes(read(at))
  }
}

const earthMeters = 6_371_008.8
const radians = Math.PI / 180

/** Great-circle distance by the haversine formula, over the mean radius of the earth. */
function placeTest(wanted: { lat: number; lon: number; meters: number }): ValueTest {
  return value => {
    if (typeof value !== 'object' || value === null) return false
    const lat = Object.hasOwn(value, 'lat') ? (value as { lat: unknown }).lat : undefined
    const lon = Object.hasOwn(value, 'lon') ? (value as { lon: unknown }).lon : undefined
    if (typeof lat !== 'number' || typeof lon !== 'number' || Math.abs(lat) > 90 || Math.abs(lon) > 180) return false
    const north = Math.sin(((lat - wanted.lat) * radians) / 2)
    const east = Math.sin(((lon - wanted.lon) * radians) / 2)
    const half = north * north + Math.cos(lat * radians) * Math.cos(wanted.lat * radians) * east * east
    return 2 * earthMeters * Math.asin(Math.min(1, Math.sqrt(half))) <= wanted.meters
  }
}
