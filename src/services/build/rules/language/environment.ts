import { createHash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { Duration, Environment } from '@marcbachmann/cel-js/evaluator'
import { language as limits } from '../rules.ts'
import { registerCollections } from './collections.ts'
import { matchesPattern } from './patterns.ts'
import { RuleState } from './state.ts'

/** What stands behind `is`. */
export class RuleType {
  readonly test: (value: unknown) => boolean

  constructor(test: (value: unknown) => boolean) {
    this.test = test
  }
}

/** Values that every condition sees, besides request, resource and the names of its path. */
export const typeWords: Record<string, RuleType> = {
  __is_bool: new RuleType(value => typeof value === 'boolean'),
  __is_bytes: new RuleType(value => value instanceof Uint8Array),
  __is_int: new RuleType(value => typeof value === 'bigint'),
  __is_float: new RuleType(value => typeof value === 'number'),
  __is_number: new RuleType(value => typeof value === 'number' || typeof value === 'bigint'),
  __is_string: new RuleType(value => typeof value === 'string'),
  __is_list: new RuleType(value => Array.isArray(value)),
  __is_path: new RuleType(value => Array.isArray(value) || typeof value === 'string'),
  __is_map: new RuleType(
    value => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype,
  ),
  __is_timestamp: new RuleType(value => value instanceof Date),
  __is_duration: new RuleType(value => value instanceof Duration),
  __is_null: new RuleType(value => value === null),
}

const TS = 'google.protobuf.Timestamp'
const GPD = 'google.protobuf.Duration'

function makeEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: limits.nodes, maxDepth: 120 },
  })
  env.registerType('RuleState', RuleState)
  env.registerType('RuleType', RuleType)
  env.registerOperator('dyn in RuleType: bool', (value: unknown, type: RuleType) => type.test(value))
  for (const [name, type] of Object.entries(typeWords)) env.registerConstant(name, 'RuleType', type)
  registerTexts(env)
  registerNumbers(env)
  registerTimes(env)
  registerCollections(env)
  registerLookups(env)
  return env
}

function registerTexts(env: Environment): void {
  env.registerFunction('string.__matches(string): bool', matchesPattern)
  env.registerFunction('string.__lowerAscii(): string', (text: string) =>
    text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  )
  env.registerFunction('string.__upperAscii(): string', (text: string) =>
    text.replace(/[a-z]+/g, letters => letters.toUpperCase()),
  )
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  )
  env.registerFunction('string.toUtf8(): bytes', (text: string) => new Uint8Array(Buffer.from(text)))
  env.registerFunction('__sha256(string): bytes', sha256)
  env.registerFunction('__sha256(bytes): bytes', sha256)
  env.registerFunction('__toHex(bytes): string', hex)
  env.registerFunction('bytes.toHex(): string', hex)
  env.registerFunction('bytes.toHexString(): string', hex)
  env.registerFunction('string.inCidr(string): bool', isInCidr)
  env.registerFunction('__inCidr(string, string): bool', isInCidr)
}

const sha256 = (value: string | Uint8Array) => new Uint8Array(createHash('sha256').update(value).digest())
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const cidrs = new Map<string, BlockList>()

function isInCidr(address: string, cidr: string): boolean {
  let list = cidrs.get(cidr)
  if (!list) {
    const [base = '', bits = ''] = cidr.split('/')
    const version = isIP(base)
    if (version === 0 || !/^[0-9]{1,3}$/.test(bits)) throw new Error(`${cidr} is no range of addresses`)
    list = new BlockList()
    list.addSubnet(base, Number(bits), version === 4 ? 'ipv4' : 'ipv6')
    if (cidrs.size > 500) cidrs.clear()
    cidrs.set(cidr, list)
  }
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

function registerNumbers(env: Environment): void {
  const identity = (value: bigint) => value
  env.registerFunction('__mathAbs(int): int', (value: bigint) => (value < 0n ? -value : value))
  env.registerFunction('__mathAbs(double): double', (value: number) => Math.abs(value))
  for (const [name, round] of [
    ['__mathFloor', Math.floor],
    ['__mathCeil', Math.ceil],
    ['__mathRound', Math.round],
  ] as const) {
    env.registerFunction(`${name}(double): int`, (value: number) => BigInt(round(value)))
    env.registerFunction(`${name}(int): int`, identity)
  }
  env.registerFunction('__mathSqrt(double): double', (value: number) => Math.sqrt(value))
  env.registerFunction('__mathSqrt(int): double', (value: bigint) => Math.sqrt(Number(value)))
  env.registerFunction('__mathPow(double, double): double', (base: number, exponent: number) => base ** exponent)
  env.registerFunction(
    '__mathPow(int, int): double',
    (base: bigint, exponent: bigint) => Number(base) ** Number(exponent),
  )
  env.registerFunction('__mathIsNaN(double): bool', (value: number) => Number.isNaN(value))
  env.registerFunction('__mathIsInfinite(double): bool', (value: number) => Math.abs(value) === Infinity)
}

const unitMs: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

function registerTimes(env: Environment): void {
  env.registerFunction(`__durationValue(int, string): ${GPD}`, (amount: bigint, unit: string) => {
    const ms = unitMs[unit]
    if (ms === undefined) throw new Error(`${unit} is no unit of time: w, d, h, m, s, ms`)
    return Duration.fromMilliseconds(Number(amount) * ms)
  })
  env.registerFunction(`__timestampValue(int): ${TS}`, (ms: bigint) => instant(Number(ms)))
  env.registerFunction(`__timestampDate(int, int, int): ${TS}`, (year: bigint, month: bigint, day: bigint) =>
    instant(Date.UTC(Number(year), Number(month) - 1, Number(day))),
  )
  env.registerFunction(`timestamp(${TS}): ${TS}`, (at: Date) => at)
  env.registerFunction(`string(${TS}): string`, (at: Date) => at.toISOString())
  env.registerFunction(`string(${GPD}): string`, (duration: Duration) => duration.toString())
  env.registerFunction(`int(${TS}): int`, (at: Date) => BigInt(Math.floor(at.getTime() / 1000)))
  const parts: [string, (at: Date) => number][] = [
    ['toMillis', at => at.getTime()],
    ['year', at => at.getUTCFullYear()],
    ['month', at => at.getUTCMonth() + 1],
    ['day', at => at.getUTCDate()],
    ['hours', at => at.getUTCHours()],
    ['minutes', at => at.getUTCMinutes()],
    ['seconds', at => at.getUTCSeconds()],
  ]
  for (const [name, read] of parts) env.registerFunction(`${TS}.${name}(): int`, (at: Date) => BigInt(read(at)))
}

function instant(ms: number): Date {
  const at = new Date(ms)
  if (Number.isNaN(at.getTime())) throw new Error('this is no instant')
  return at
}

function registerLookups(env: Environment): void {
  env.registerFunction('__tick(RuleState, int): bool', (state: RuleState, steps: bigint) => state.count(Number(steps)))
  env.registerFunction('__debug(RuleState, int, dyn): dyn', (state: RuleState, at: bigint, value: unknown) => {
    state.debugs.push({ at: Number(at), value })
    return value
  })
  env.registerFunction('__segment(dyn): string', (value: unknown) => {
    if (typeof value === 'string' || typeof value === 'bigint') return String(value)
    throw new Error('a part of a path is a text or a whole number')
  })
  env.registerFunction('__cdbGet(RuleState, list<dyn>): dyn', (state: RuleState, path: string[]) => {
    const found = state.lookUp('clouddb', path)
    if (found === null) throw new Error(`nothing is at /${path.join('/')}`)
    return found
  })
  env.registerFunction('__cdbExists(RuleState, list<dyn>): bool', (state: RuleState, path: string[]) => {
    return state.lookUp('clouddb', path) !== null
  })
  env.registerFunction('__storageExists(RuleState, list<dyn>): bool', (state: RuleState, path: string[]) => {
    return state.lookUp('storage', path) !== null
  })
}

/** One for all rulesets: CEL with the functions of rules. Hidden names begin with two underscores. */
export const environment = makeEnvironment()
