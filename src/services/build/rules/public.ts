import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { MonitorView, SimulatedBody, SimulationView } from './contract.ts'
import { decideAll, decideKnown } from './decisions.ts'
import type { RulesCheck } from './diagnostics.ts'
import type {
  Decision,
  RuleColumn,
  RuleData,
  RuledService,
  RuleFilter,
  RuleMethod,
  RulePredicate,
  RuleRequest,
  RuleScope,
} from './engine-types.ts'
import { filterRows, predicateRows } from './filtering.ts'
import { isGrantedUnseen } from './language/evaluate.ts'
import { memoryOf, rulesetOf } from './memory.ts'
import { monitor } from './monitor.ts'
import { check, headOf, publish, remove, versions, type Where } from './publishing.ts'
import type { Ruleset } from './ruleset.ts'
import { simulate } from './simulating.ts'

export type { MonitorView, SimulatedBody, SimulationView } from './contract.ts'
export type { RulesCheck } from './diagnostics.ts'
export type {
  Decision,
  RuleColumn,
  RuleData,
  RuledService,
  RuleFields,
  RuleFieldType,
  RuleFilter,
  RuleMethod,
  RulePredicate,
  RuleRequest,
  RuleScope,
} from './engine-types.ts'
export type { Ruleset } from './ruleset.ts'

/** Says how rows of `clouddb` or files of `storage` are looked up for `get` and `exists`. From `Work.start`. */
export function keepRuleData(server: Server, service: 'clouddb' | 'storage', data: RuleData): void {
  memoryOf(server).data.set(service, data)
}

/** The published rules of a project's service; null when there are none. In memory after the first time; a publish bites at once here, and within a second on other processes. */
export function publishedRules(
  ctx: { server: Server; zone: RuleScope['zone'] },
  projectId: string,
  service: RuledService,
): Promise<Ruleset | null> {
  return rulesetOf(ctx.server, ctx.zone, projectId, service)
}

/** Decides one request, default deny. Kept denials and counts are written later and never in the caller's transaction. Never throws for what rules do. */
export function decide(server: Server, scope: RuleScope, ruleset: Ruleset, request: RuleRequest): Promise<Decision> {
  return decideAll(server, scope, ruleset, request)
}

/** The same without waiting; null when a rule that matches looks something up, then ask `decide`. */
export function decideNow(server: Server, scope: RuleScope, ruleset: Ruleset, request: RuleRequest): Decision | null {
  return decideKnown(server, scope, ruleset, request)
}

/**
 * Whether a write is allowed whatever stands there now, told before that is looked up. `request.method` says nothing: it is
 * asked for what creates and for what updates. Counted nowhere; where it answers false ask `decide`.
 */
export function grantsUnseen(ruleset: Ruleset, request: RuleRequest): boolean {
  return writes.every(method => isGrantedUnseen(ruleset.program, { ...request, method }))
}
const writes: readonly RuleMethod[] = ['create', 'update']

/**
 * Which rows a `list` may show: a condition over `columns` (by the place below `resource`: `data.title`, `creator`) whose
 * parameters are numbered from `firstParameter`. `request.path` is where it looks, `request.openPath` the columns of the
 * segments below it. With mode `strict` a condition that depends on rows is `none`.
 */
export function filterFor(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
  columns: ReadonlyMap<string, RuleColumn>,
  firstParameter: number,
  mode: 'filter' | 'strict' = 'filter',
): Promise<RuleFilter> {
  return filterRows(server, scope, ruleset, request, columns, firstParameter, mode)
}

/** The decision of `filterFor` on rows in memory, for streams and for writes of many rows. */
export function predicateFor(
  server: Server,
  scope: RuleScope,
  ruleset: Ruleset,
  request: RuleRequest,
  columns: ReadonlyMap<string, Pick<RuleColumn, 'type'>>,
): Promise<RulePredicate> {
  return predicateRows(server, scope, ruleset, request, columns)
}

/** Reads rules and says by line and column what is wrong or odd. Firebase forms are rewritten. */
export function checkRules(ctx: Context, where: Where, source: string): Promise<RulesCheck> {
  return check(ctx, where, source)
}

/**
 * Publishes rules in the caller's transaction; 409 when `baseVersion` is not the one in force (0 for none), 422 with every
 * diagnostic when they cannot be, 422 when 20 are kept. Audits and signals. The caller checked project and permission.
 */
export function publishRules(
  ctx: Context,
  where: Where,
  wish: { source: string; baseVersion: number; note?: string },
): Promise<RulesVersion> {
  return publish(ctx, where, wish).then(row => ({ ...row, isPublished: true }))
}

/** The kept versions, newest first; none or one of them is in force. */
export async function rulesVersions(ctx: Context, where: Where): Promise<RulesVersion[]> {
  const head = await headOf(ctx, where)
  const list = await versions(ctx, where)
  return list.map(row => ({ ...row, isPublished: row.version === head?.published }))
}

/** Deletes one older version, or with `all` every one, so that no rules are in force. */
export function removeRules(ctx: Context, where: Where, which: { version: number } | 'all'): Promise<void> {
  return remove(ctx, where, which)
}

/** Decides an invented request by given rules, by a version, or by those in force. Opens its own transactions. */
export function simulateRules(ctx: Context, wish: SimulatedBody): Promise<SimulationView> {
  return simulate(ctx, wish)
}

/** Decisions between two instants: a series, counters of statements, what was denied most. `step` in minutes. */
export function ruleStatistics(
  ctx: Context,
  where: Where,
  wish: { from: number; to: number; step?: number },
): Promise<MonitorView> {
  return monitor(ctx, where, wish)
}

export interface RulesVersion {
  version: number
  source: string
  isPublished: boolean
  note: string
  publishedAt: number
  publishedBy: string
}
