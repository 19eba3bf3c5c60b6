import { rangeOf } from './address.ts'
import { bucketSpaces } from './bucket.ts'
import { regexProblem } from './regex.ts'
import { versionOf } from './semver.ts'
import { instantOf, isZone } from './when.ts'

type At = 'value' | 'zone' | `value/${string}`
export interface ValueProblem {
  at: At
  words: string
}

const most = { text: 1000, list: 1000, audiences: 20, ranges: 200 }

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= most.text
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isScalar = (value: unknown) => isText(value) || isNumber(value) || typeof value === 'boolean'
const isId = (value: unknown) => typeof value === 'string' && /^[1-9][0-9]{0,18}$/.test(value)
const isListOf = (value: unknown, is: (one: unknown) => boolean, length: number) =>
  Array.isArray(value) && value.length > 0 && value.length <= length && value.every(is)
const isWhole = (value: unknown, hi: number) => isNumber(value) && Number.isInteger(value) && value >= 0 && value <= hi
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a value of an op must be, and the words for one that is not. */
const kinds: Record<string, [is: (value: unknown) => boolean, words: string]> = {
  scalar: [isScalar, `the value is a text up to ${most.text} characters, a number, true or false`],
  scalars: [value => isListOf(value, isScalar, most.list), `the value is a list of 1 to ${most.list} texts or numbers`],
  number: [isNumber, 'the value is a number'],
  bounds: [
    value =>
      Array.isArray(value) && value.length === 2 && value.every(isNumber) && Number(value[0]) <= Number(value[1]),
    'the value is two numbers, the smaller one first',
  ],
  text: [value => isText(value) && value !== '', `the value is a text of 1 to ${most.text} characters`],
  flag: [value => typeof value === 'boolean', 'the value is true (is there) or false (is not)'],
  version: [value => versionOf(value) !== undefined, 'the value is a version like 2.1.0 or 2.1.0-beta.1'],
  days: [value => isListOf(value, one => isWhole(one, 6), 7), 'the value is a list of days, 0 (Sunday) to 6'],
  hours: [value => isListOf(value, one => isWhole(one, 23), 24), 'the value is a list of hours, 0 to 23'],
  audiences: [
    value => isId(value) || isListOf(value, isId, most.audiences),
    `the value is the id of an audience, or a list of up to ${most.audiences}`,
  ],
  ranges: [
    value => rangeOf(value) !== undefined || isListOf(value, one => rangeOf(one) !== undefined, most.ranges),
    `the value is an address or a range like 192.0.2.0/24 or 2001:db8::/32, or a list of up to ${most.ranges}`,
  ],
  place: [
    value =>
      isObject(value) &&
      Object.keys(value).length === 3 &&
      isNumber(value['lat']) &&
      Math.abs(value['lat']) <= 90 &&
      isNumber(value['lon']) &&
      Math.abs(value['lon']) <= 180 &&
      isNumber(value['meters']) &&
      value['meters'] > 0 &&
      value['meters'] <= 20_100_000,
    'the value is {lat, lon, meters}: -90 to 90, -180 to 180, above 0 to 20100000',
  ],
}

const kindOf: Record<string, keyof typeof kinds> = {
  eq: 'scalar',
  ne: 'scalar',
  in: 'scalars',
  nin: 'scalars',
  gt: 'number',
  gte: 'number',
  lt: 'number',
  lte: 'number',
  between: 'bounds',
  contains: 'text',
  ncontains: 'text',
  startsWith: 'text',
  endsWith: 'text',
  exists: 'flag',
  semver_eq: 'version',
  semver_gt: 'version',
  semver_gte: 'version',
  semver_lt: 'version',
  semver_lte: 'version',
  dowIn: 'days',
  hourIn: 'hours',
  inAudience: 'audiences',
  ninAudience: 'audiences',
  withinGeo: 'place',
  cidr: 'ranges',
}

/** What is wrong with the value (or zone) of a leaf; undefined when nothing is. */
export function valueProblem(op: string, value: unknown, zone: unknown): ValueProblem | undefined {
  if (zone !== undefined && !isZone(zone))
    return { at: 'zone', words: 'a zone is an IANA name like Europe/Berlin or UTC' }
  if (op === 'regex') {
    const words = regexProblem(value)
    return words === undefined ? undefined : { at: 'value', words }
  }
  if (op === 'percent') return percentProblem(value)
  if (op === 'before' || op === 'after') {
    if (instantOf(value, typeof zone === 'string' ? zone : undefined) !== undefined) return undefined
    return {
      at: 'value',
      words: 'the value is epoch milliseconds or a date like 2026-03-01T09:00; a local one needs a zone',
    }
  }
  if ((op === 'dowIn' || op === 'hourIn') && zone === undefined)
    return { at: 'zone', words: 'days and hours need a zone' }
  const kind = kinds[kindOf[op] ?? '']
  return kind && !kind[0](value) ? { at: 'value', words: kind[1] } : undefined
}

function percentProblem(value: unknown): ValueProblem | undefined {
  if (!isObject(value)) return { at: 'value', words: 'the value is {ns, seed, unitAttr, lo, hi}' }
  const { ns, seed, unitAttr, lo, hi } = value
  const other = Object.keys(value).find(key => !['ns', 'seed', 'unitAttr', 'lo', 'hi'].includes(key))
  if (other !== undefined) return { at: 'value', words: 'the value has ns, seed, unitAttr, lo and hi only' }
  if (!bucketSpaces.some(one => one === ns)) return { at: 'value/ns', words: `ns is one of ${bucketSpaces.join(' ')}` }
  if (typeof seed !== 'string' || seed === '' || seed.length > 100) {
    return { at: 'value/seed', words: 'the seed is a text of 1 to 100 characters that never changes' }
  }
  if (typeof unitAttr !== 'string' || unitAttr === '' || unitAttr.length > 100) {
    return { at: 'value/unitAttr', words: 'unitAttr names the attribute that is drawn' }
  }
  if (!isNumber(lo) || lo < 0 || lo > 100) return { at: 'value/lo', words: 'lo is a percent, 0 to 100' }
  if (!isNumber(hi) || hi < lo || hi > 100) return { at: 'value/hi', words: 'hi is a percent, lo to 100' }
  return undefined
}
