import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RuledService, RuleMethod, RuleRequest } from '../../src/services/build/rules/engine-types.ts'
import type { OfflineData } from '../../src/services/build/rules/offline.ts'

/** The file of cases cannot be used; the sentence says where and why. */
export class WrongCases extends Error {}

export interface RuleCase {
  name: string
  request: RuleRequest
  isAllowed: boolean
}

export interface CaseFile {
  service: RuledService
  rulesFile: string
  source: string
  data: OfflineData
  cases: RuleCase[]
}

const services: readonly RuledService[] = ['agc.cloud.storage', 'agc.cloud.db', 'agc.lowcode']
const methods: readonly RuleMethod[] = ['get', 'list', 'create', 'update', 'delete']
type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function objectAt(value: unknown, where: string): Json {
  if (!isObject(value)) throw new WrongCases(`${where} is an object`)
  return value
}

function textAt(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw new WrongCases(`${where} is a text`)
  return value
}

function assertOnly(given: Json, names: readonly string[], where: string): void {
  const other = Object.keys(given).find(name => !names.includes(name))
  if (other !== undefined) throw new WrongCases(`${where}.${other} is not known; there are ${names.join(', ')}`)
}

/** Reads a file of cases and the rules that it names, or those of `rulesFile` instead. Throws WrongCases. */
export function readCases(file: string, rulesFile?: string): CaseFile {
  const whole = objectAt(parsed(file), 'the file')
  assertOnly(whole, ['rules', 'service', 'data', 'cases'], 'the file')
  const named = rulesFile ?? path.resolve(path.dirname(file), textAt(whole['rules'], 'rules'))
  const source = read(named)
  const service = services.find(one => one === (whole['service'] ?? serviceIn(source)))
  if (!service) throw new WrongCases(`service is one of ${services.join(', ')}`)
  if (!Array.isArray(whole['cases']) || whole['cases'].length === 0) throw new WrongCases('cases is a list of cases')
  const data = objectAt(whole['data'] ?? {}, 'data')
  return {
    service,
    rulesFile: named,
    source,
    data: Object.fromEntries(
      Object.entries(data).map(([name, row]) => [name.replace(/^\//, ''), objectAt(row, `data.${name}`)]),
    ),
    cases: whole['cases'].map((one, at) => caseAt(one, `cases[${at}]`, service)),
  }
}

function read(file: string): string {
  if (!existsSync(file)) throw new WrongCases(`there is no file ${file}`)
  return readFileSync(file, 'utf8')
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(read(file))
  } catch (error) {
    if (error instanceof WrongCases) throw error
    throw new WrongCases(`${file} is not JSON: ${(error as Error).message}`)
  }
}

/** The service that rules open with; those in a Firebase form say it in words of their own. */
function serviceIn(source: string): RuledService | undefined {
  if (/\bfirebase\.storage\b/.test(source)) return 'agc.cloud.storage'
  if (/\bcloud\.firestore\b/.test(source)) return 'agc.cloud.db'
  return services.find(one => source.includes(one))
}

function caseAt(value: unknown, where: string, service: RuledService): RuleCase {
  const one = objectAt(value, where)
  assertOnly(one, ['name', 'expect', 'request', 'resource'], where)
  if (one['expect'] !== 'allow' && one['expect'] !== 'deny') throw new WrongCases(`${where}.expect is allow or deny`)
  const asked = objectAt(one['request'], `${where}.request`)
  assertOnly(asked, ['method', 'path', 'auth', 'app', 'ip', 'time', 'query', 'resource'], `${where}.request`)
  const method = methods.find(name => name === asked['method'])
  if (!method) throw new WrongCases(`${where}.request.method is one of ${methods.join(', ')}`)
  const segments = textAt(asked['path'], `${where}.request.path`)
    .split('/')
    .filter(segment => segment !== '')
  const resourceOf = (given: unknown, at: string) =>
    given === undefined || given === null ? null : withFacts(objectAt(given, at), segments, service)
  return {
    name: one['name'] === undefined ? `${method} ${asked['path']}` : textAt(one['name'], `${where}.name`),
    isAllowed: one['expect'] === 'allow',
    request: {
      method,
      path: segments,
      auth: authAt(asked['auth'], `${where}.request.auth`),
      app: isObject(asked['app']) ? { appId: '1', packageName: null, attested: false, ...asked['app'] } : null,
      ip: asked['ip'] === undefined ? null : textAt(asked['ip'], `${where}.request.ip`),
      time: timeAt(asked['time'], `${where}.request.time`),
      resource: resourceOf(one['resource'], `${where}.resource`),
      ...(asked['resource'] === undefined
        ? {}
        : { requestResource: resourceOf(asked['resource'], `${where}.request.resource`) }),
      ...(asked['query'] === undefined ? {} : { query: objectAt(asked['query'], `${where}.request.query`) }),
    },
  }
}

function authAt(value: unknown, where: string): RuleRequest['auth'] {
  if (value === undefined || value === null) return null
  const { uid, provider = 12, anonymous = false, token = {}, ...rest } = objectAt(value, where)
  assertOnly(rest, [], where)
  return {
    uid: textAt(uid, `${where}.uid`),
    provider: Number(provider),
    anonymous: anonymous === true,
    token: objectAt(token, `${where}.token`),
  }
}

function timeAt(value: unknown, where: string): number {
  if (value === undefined) return Date.now()
  const time = Date.parse(textAt(value, where))
  if (Number.isNaN(time)) throw new WrongCases(`${where} is an instant such as 2026-12-01T09:00:00Z`)
  return time
}

const instants = ['timeCreated', 'updated']

/** Of a file what its path says already, and instants as such. */
function withFacts(given: Json, segments: readonly string[], service: RuledService): Json {
  if (service !== 'agc.cloud.storage') return given
  const [bucket, ...names] = segments
  const made = Object.entries(given).map(([name, value]) => [
    name,
    instants.includes(name) && typeof value === 'string' ? new Date(value) : value,
  ])
  return { name: names.join('/'), bucket, metadata: {}, ...Object.fromEntries(made) }
}
