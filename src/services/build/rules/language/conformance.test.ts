import { tests as whole } from '@bufbuild/cel-spec/testdata/conformance.js'
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { describe, expect, it } from 'vitest'
import { departures, sections } from './conformance.data.ts'
import { environment } from './environment.ts'

/** A value of the suite: protocol buffers' JSON of `cel.expr.Value`. */
type SpecValue = Readonly<Record<string, unknown>>
interface Case {
  expr: string
  value?: SpecValue
  bindings?: Readonly<Record<string, { value: SpecValue }>>
}
type Suite = typeof whole

/** What rules have no use for: messages and enumerations of protocol buffers, and cases that only the type checker sees. */
const isForeign = (one: object) =>
  /TestAllTypes|google\.protobuf|objectValue|enumValue|typedResult|checkOnly/.test(JSON.stringify(one))

function read(value: SpecValue): unknown {
  const [kind, content] = Object.entries(value)[0] as [string, never]
  switch (kind) {
    case 'int64Value':
      return BigInt(content)
    case 'uint64Value':
      return new UnsignedInt(BigInt(content))
    case 'doubleValue':
      return Number(content)
    case 'bytesValue':
      return new Uint8Array(Buffer.from(content, 'base64'))
    case 'listValue':
      return ((content as { values?: SpecValue[] }).values ?? []).map(read)
    case 'mapValue': {
      const { entries = [] } = content as { entries?: { key: SpecValue; value: SpecValue }[] }
      return new Map(entries.map(one => [read(one.key), read(one.value)]))
    }
    case 'typeValue':
      return { name: content }
    default:
      return content
  }
}

/** Words for a value that tell its kind: 1, 1u and 1.0 are three values of CEL. */
function told(value: unknown): unknown {
  if (typeof value === 'bigint') return `int ${value}`
  if (typeof value === 'number') return `double ${value === 0 ? 0 : value}`
  if (value === null || typeof value !== 'object') return value
  if (value instanceof UnsignedInt) return `uint ${value.valueOf()}`
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`
  if (value instanceof Date) return `timestamp ${value.toISOString()}`
  if (value instanceof Duration) return `duration ${value}`
  if (Array.isArray(value)) return value.map(told)
  if (value instanceof Map) return toldEntries([...value])
  if (Object.getPrototypeOf(value) === Object.prototype) return toldEntries(Object.entries(value))
  return `type ${(value as { name?: string }).name ?? String(value)}`
}

const toldEntries = (entries: [unknown, unknown][]) =>
  Object.fromEntries(entries.map(([key, value]) => [typeof key === 'string' ? key : String(told(key)), told(value)]))

function evaluated({ expr, bindings = {} }: Case): unknown {
  const context = Object.fromEntries(Object.entries(bindings).map(([name, { value }]) => [name, read(value)]))
  try {
    // Rules match on RE2, under a name of their own.
    return told(environment.evaluate(expr.replaceAll('.matches(', '.__matches('), context))
  } catch {
    return 'error'
  }
}

const expected = ({ value }: Case): unknown => {
  if (value === undefined) return 'error'
  const known = read(value)
  return 'typeValue' in value ? `type ${(known as { name: string }).name}` : told(known)
}

function* casesOf(suite: Suite, path: string): Generator<{ name: string; one: Case }> {
  for (const { original } of suite.tests ?? []) {
    if (!isForeign(original)) yield { name: `${path}/${original.name}`, one: original as unknown as Case }
  }
  for (const part of suite.suites ?? []) yield* casesOf(part, `${path}/${part.name}`)
}

describe.each(sections)('section %s of the conformance suite of CEL', section => {
  const suite = whole.suites?.find(one => one.name === section)
  const cases = suite ? [...casesOf(suite, section)] : []

  it('has cases', () => expect(cases.length).toBeGreaterThan(0))

  const isDeparture = ({ name }: { name: string }) => Object.hasOwn(departures, name)
  const agreeing = cases.filter(one => !isDeparture(one))
  it.each(agreeing.map(({ name, one }) => [name, one] as const))('%s', (_, one) =>
    expect(evaluated(one)).toEqual(expected(one)),
  )

  const departing = cases.filter(isDeparture)
  if (departing.length > 0)
    it.each(departing.map(({ name, one }) => [name, one] as const))('%s departs, as its reason says', (_, one) =>
      expect(evaluated(one)).not.toEqual(expected(one)),
    )
})

it('every departure is a case of the suite', () => {
  const names = new Set((whole.suites ?? []).flatMap(suite => [...casesOf(suite, suite.name)].map(one => one.name)))
  expect(Object.keys(departures).filter(name => !names.has(name))).toEqual([])
})
