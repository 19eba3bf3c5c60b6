import { type ErrorRow, Refusal, refuse } from '../../../../kernel/errors.ts'
import type { AppCaller } from '../../app-auth/public.ts'
import {
  decide,
  decideNow,
  filterFor,
  publishedRules,
  type RuleColumn,
  type RuleFields,
  type RuleFieldType,
  type RuleMethod,
  type RuleRequest,
  type RuleScope,
  type Ruleset,
} from '../../rules/public.ts'
import { type Cell, type Column, madeOnce, type Place, type TypeModel } from '../model.ts'
import type { Right } from '../schema/rules.ts'
import type { Image } from './matches.ts'
import { type Reach, reachOf, type Standing } from './rights.ts'
import { dataErrors } from './rules.ts'

/** Who reads or writes rows. Administrators are servers and people of the console: rules do not bind them. */
export interface Actor {
  standing: Standing
  /** Written into the rows. */
  name: string
  /** Null for administrators. */
  caller: AppCaller | null
  ip: string | null
  requestId: string
}

export const administrator = (name: string, requestId: string): Actor => ({
  standing: { isAdministrator: true },
  name,
  caller: null,
  ip: null,
  requestId,
})

/** An app's own server, or a user of the app, or nobody in particular. */
export function actorOf(caller: AppCaller, ip: string | null, requestId: string): Actor {
  if (caller.isServer && !caller.user) return administrator('server', requestId)
  const uid = caller.user?.uid ?? null
  return { standing: { isAdministrator: false, uid }, name: uid ?? 'anonymous', caller, ip, requestId }
}

/** Over which rows the matrix gives the right; refuses where over none. */
export function reachedBy(place: Place, actor: Actor, right: Right): Reach {
  const reach = reachOf(place.type.definition, actor.standing, right)
  if (reach === 'none') refuse(dataErrors.denied, { right: right.toLowerCase(), where: '' })
  return reach
}

export const scopeOf = ({ database, zone }: Place): RuleScope => ({
  projectId: database.projectId,
  teamId: database.teamId,
  zone,
})

/** The rules in force for the caller; null where none bind. */
export async function rulesFor(place: Place, actor: Actor): Promise<Ruleset | null> {
  if (actor.standing.isAdministrator) return null
  return publishedRules(place, place.database.projectId, 'agc.cloud.db')
}

const ruleTypes: Record<Column['type'], RuleFieldType> = {
  Boolean: 'bool',
  Byte: 'int',
  Short: 'int',
  Integer: 'int',
  Long: 'int',
  Float: 'float',
  Double: 'double',
  ByteArray: 'bytes',
  String: 'string',
  Text: 'string',
  Date: 'timestamp',
  IntAutoIncrement: 'int',
  LongAutoIncrement: 'int',
}

/** Columns by the place below `resource`. What is sealed or encrypted does not exist for rules. */
export function ruleColumnsOf(type: TypeModel): ReadonlyMap<string, RuleColumn> {
  return madeOnce(type, 'rule columns', () => {
    const columns = new Map<string, RuleColumn>()
    for (const column of type.columns) {
      if (column.isSealed || column.isOpaque) continue
      columns.set(`data.${column.name}`, { sql: `t.${column.sql}`, type: ruleTypes[column.type] })
    }
    columns.set('creator', { sql: 't.naturalbase_creator', type: 'string' })
    columns.set('version', { sql: 't.naturalbase_version', type: 'int' })
    columns.set('operationTime', { sql: 'to_timestamp(t.naturalbase_operationtime / 1000.0)', type: 'timestamp' })
    return columns
  })
}

export function ruleFieldsOf(type: TypeModel): RuleFields {
  return madeOnce(
    type,
    'rule fields',
    () => new Map([...ruleColumnsOf(type)].map(([name, column]) => [name, column.type])),
  )
}

export interface KnownRow extends Image {
  version: string | null
  operationTime: number | null
}

/** A row as rules see it. */
export function resourceOf(type: TypeModel, row: KnownRow): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null)
  for (const column of type.columns) {
    if (column.isSealed || column.isOpaque) continue
    data[column.name] = ruleValue(column, row.cellOf(column))
  }
  return {
    data,
    creator: row.creator,
    version: row.version,
    operationTime: row.operationTime === null ? null : new Date(row.operationTime),
  }
}

function ruleValue(column: Column, cell: Cell): unknown {
  if (cell === null) return null
  if (column.type === 'Date') return new Date(cell as number)
  if (column.type === 'ByteArray') return Buffer.from(cell as string, 'base64')
  return column.isLong ? BigInt(cell as string) : cell
}

export function ruleRequest(place: Place, actor: Actor, method: RuleMethod, keys: readonly string[]): RuleRequest {
  const { caller } = actor
  const user = caller?.user ?? null
  return {
    method,
    path: [place.dataZone.name, place.type.name, ...keys],
    auth: user && { uid: user.uid, provider: user.provider, anonymous: user.isAnonymous, token: user.claims },
    app: caller?.appId ? { appId: caller.appId, packageName: null, attested: false } : null,
    ip: actor.ip,
    time: place.server.clock.now(),
    fields: ruleFieldsOf(place.type),
    requestId: actor.requestId,
  }
}

/** What a list may show: a condition of rights and rules; null is nothing at all. */
export async function readFilter(
  place: Place,
  actor: Actor,
  rules: Ruleset | null,
  query: Record<string, unknown>,
  parameters: { add(value: unknown): string; addAll(values: readonly unknown[]): void; next: number },
): Promise<string | null> {
  const reach = reachedBy(place, actor, 'Read')
  const uid = actor.standing.isAdministrator ? null : actor.standing.uid
  const own = reach === 'own' ? `naturalbase_creator = ${parameters.add(uid)}` : 'TRUE'
  if (!rules) return own
  const request: RuleRequest = {
    ...ruleRequest(place, actor, 'list', []),
    openPath: place.type.keys.map(key => `data.${key.name}`),
    query,
  }
  const columns = ruleColumnsOf(place.type)
  const filter = await filterFor(place.server, scopeOf(place), rules, request, columns, parameters.next)
  if (filter.kind === 'none') return null
  if (filter.kind === 'all') return own
  parameters.addAll(filter.values)
  return own === 'TRUE' ? filter.text : `(${own} AND ${filter.text})`
}

/** Refuses what the rules do not allow for one row, before and after. */
export async function assertRule(
  place: Place,
  actor: Actor,
  rules: Ruleset | null,
  method: RuleMethod,
  row: { keys: readonly string[]; before: KnownRow | null; after: KnownRow | null },
): Promise<void> {
  if (!rules) return
  const request: RuleRequest = {
    ...ruleRequest(place, actor, method, row.keys),
    resource: row.before && resourceOf(place.type, row.before),
    requestResource: row.after && resourceOf(place.type, row.after),
  }
  const scope = scopeOf(place)
  const decision = decideNow(place.server, scope, rules, request) ?? (await decide(place.server, scope, rules, request))
  if (!decision.allowed) throw new RuleDenied(dataErrors.denied, method, decision.decisionId, row.keys)
}

/** A denial that a member of the project can look into. */
export class RuleDenied extends Refusal {
  readonly decisionId: string | null

  constructor(row: ErrorRow, method: RuleMethod, decisionId: string | null, keys: readonly string[]) {
    super(row, { right: method, where: `: the rules deny it for ${keys.join('/')}`, ...(decisionId && { decisionId }) })
    this.decisionId = decisionId
  }
}
