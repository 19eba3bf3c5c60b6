import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { RuleRequest, RuleScope } from './engine-types.ts'
import { explainStatements } from './explain.ts'
import type { RuleState } from './language/state.ts'
import type { Ruleset } from './ruleset.ts'
import { snapshotOf } from './snapshot.ts'

interface Kept {
  decisionId: string
  scope: RuleScope
  ruleset: Ruleset
  request: RuleRequest
  state: RuleState | null
  isAllowed: boolean
  weight: number
  errors: number
  at: number
}

/** Beyond these nothing more is kept until the next writing. */
const mostKept = 5_000
const deniedASecond = 20
const deniedShare = 0.01
const allowedShare = 0.001
const everyMs = 1_000

/**
 * Counts decisions and keeps some of them, in memory, and writes both once a second, so that a decision costs no query. What
 * a killed process had not written is lost: at most a second of counts.
 */
export class Recorder {
  readonly #server: Server
  #kept: Kept[] = []
  #counted = new Map<Ruleset, RuleScope>()
  #seconds = new Map<string, { second: number; denied: number }>()
  /** By ruleset the minute in which an allowed request was last kept. */
  #allowedAt = new WeakMap<Ruleset, Map<string, number>>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(server: Server) {
    this.#server = server
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), everyMs).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Counts a decision; answers its id when it is kept. */
  note(
    scope: RuleScope,
    ruleset: Ruleset,
    request: RuleRequest,
    outcome: { allowed: boolean; errors: number; state: RuleState | null },
  ): string | null {
    const { counts } = ruleset
    if (outcome.allowed) counts.allowed++
    else counts.denied++
    if (outcome.errors > 0 && !outcome.allowed) counts.errors++
    if (!counts.isWaiting) {
      counts.isWaiting = true
      this.#counted.set(ruleset, scope)
    }
    const weight = outcome.allowed ? this.#weightOfAllowed(ruleset, request) : this.#weightOfDenied(scope)
    if (weight === 0 || this.#kept.length >= mostKept) return null
    const decisionId = this.#server.ids.next()
    this.#kept.push({
      decisionId,
      scope,
      ruleset,
      request,
      state: outcome.state,
      isAllowed: outcome.allowed,
      weight,
      errors: outcome.errors,
      at: this.#server.clock.now(),
    })
    return decisionId
  }

  #weightOfDenied({ projectId }: RuleScope): number {
    const second = Math.floor(this.#server.clock.now() / 1000)
    let seen = this.#seconds.get(projectId)
    if (seen?.second !== second) {
      seen = { second, denied: 0 }
      this.#seconds.set(projectId, seen)
    }
    if (++seen.denied <= deniedASecond) return 1
    return Math.random() < deniedShare ? 1 / deniedShare : 0
  }

  /** One in a thousand, and the first of each method in a minute, so that a quiet project has some, too. */
  #weightOfAllowed(ruleset: Ruleset, { method, time }: RuleRequest): number {
    if (Math.random() < allowedShare) return 1 / allowedShare
    let minutes = this.#allowedAt.get(ruleset)
    if (!minutes) {
      minutes = new Map()
      this.#allowedAt.set(ruleset, minutes)
    }
    const minute = Math.floor(time / 60_000)
    if (minutes.get(method) === minute) return 0
    minutes.set(method, minute)
    return 1
  }

  /** Writes what is waiting; those who show it call this first. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#flush())
    return this.#writing
  }

  async #flush(): Promise<void> {
    if (this.#kept.length === 0 && this.#counted.size === 0) return
    const kept = this.#kept
    const counted = this.#counted
    this.#kept = []
    this.#counted = new Map()
    if (this.#seconds.size > 10_000) this.#seconds.clear()
    const zones = new Set([...kept.map(one => one.scope.zone), ...[...counted.values()].map(scope => scope.zone)])
    for (const zone of zones) {
      await this.#write(
        zone,
        kept.filter(one => one.scope.zone === zone),
        [...counted].filter(([, scope]) => scope.zone === zone),
      ).catch(error =>
        this.#server.log.warn({ zone, reason: (error as Error).message }, 'decisions of rules were not written'),
      )
    }
  }

  async #write(
    zone: ZoneId,
    kept: readonly Kept[],
    counted: readonly (readonly [Ruleset, RuleScope])[],
  ): Promise<void> {
    const decisions = kept.map(rowOf)
    const now = this.#server.clock.now()
    const minutes = counted.map(([ruleset, { projectId, teamId }]) => {
      const { counts, service } = ruleset
      const row = {
        project_id: projectId,
        team_id: teamId,
        service,
        minute: Math.floor(now / 60_000),
        ...takenOf(counts),
      }
      return row
    })
    const statements = counted.flatMap(([ruleset, scope]) => statementRows(ruleset, scope, Math.floor(now / 3_600_000)))
    await systemContext(this.#server, zone, { name: 'rules recorder' }).transact(async ctx => {
      await ctx.transaction(zone).query({
        name: 'rules recorder',
        text: `WITH minutes AS (
            INSERT INTO rules_minutes (project_id, service, minute, team_id, allowed, denied, errors)
            SELECT project_id, service, minute, min(team_id), sum(allowed), sum(denied), sum(errors)
            FROM jsonb_to_recordset($1::jsonb) AS row(project_id bigint, service text, minute bigint, team_id bigint,
              allowed bigint, denied bigint, errors bigint)
            GROUP BY project_id, service, minute ORDER BY 1, 2, 3
            ON CONFLICT (project_id, service, minute) DO UPDATE SET allowed = rules_minutes.allowed + excluded.allowed,
              denied = rules_minutes.denied + excluded.denied, errors = rules_minutes.errors + excluded.errors),
          statements AS (
            INSERT INTO rules_statement_hours (project_id, service, version, line, col, hour, team_id, evaluated, granted, errors)
            SELECT project_id, service, version, line, col, hour, min(team_id), sum(evaluated), sum(granted), sum(errors)
            FROM jsonb_to_recordset($2::jsonb) AS row(project_id bigint, service text, version int, line int, col int,
              hour int, team_id bigint, evaluated bigint, granted bigint, errors bigint)
            GROUP BY project_id, service, version, line, col, hour ORDER BY 1, 2, 3, 4, 5, 6
            ON CONFLICT (project_id, service, version, line, col, hour) DO UPDATE
              SET evaluated = rules_statement_hours.evaluated + excluded.evaluated,
                granted = rules_statement_hours.granted + excluded.granted,
                errors = rules_statement_hours.errors + excluded.errors)
          INSERT INTO rules_decisions (decision_id, project_id, service, team_id, at, method, path, uid, ip, request_id,
            version, is_allowed, weight, errors, snapshot, matched)
          SELECT * FROM jsonb_to_recordset($3::jsonb) AS row(decision_id bigint, project_id bigint, service text,
            team_id bigint, at bigint, method text, path text, uid text, ip text, request_id text, version int,
            is_allowed boolean, weight real, errors int, snapshot jsonb, matched jsonb)
          ON CONFLICT DO NOTHING`,
        values: [JSON.stringify(minutes), JSON.stringify(statements), textOf(decisions)],
      })
    })
  }
}

function takenOf(counts: Ruleset['counts']) {
  const { allowed, denied, errors } = counts
  Object.assign(counts, { allowed: 0, denied: 0, errors: 0, isWaiting: false })
  return { allowed, denied, errors }
}

function statementRows(ruleset: Ruleset, { projectId, teamId }: RuleScope, hour: number) {
  const { tallies, statements, places } = ruleset.program
  return statements.flatMap(({ index, span }) => {
    const [evaluated, granted, errors] = [tallies.evaluated[index]!, tallies.granted[index]!, tallies.errors[index]!]
    if (evaluated === 0) return []
    tallies.evaluated[index] = 0
    tallies.granted[index] = 0
    tallies.errors[index] = 0
    const { service, version } = ruleset
    const { line, col } = places.of(span.start)
    return [{ project_id: projectId, team_id: teamId, service, version, line, col, hour, evaluated, granted, errors }]
  })
}

function rowOf({ decisionId, scope, ruleset, request, state, isAllowed, weight, errors, at }: Kept) {
  const matched = explainStatements(ruleset.program, request, state)
  return {
    decision_id: decisionId,
    project_id: scope.projectId,
    service: ruleset.service,
    team_id: scope.teamId,
    at,
    method: request.method,
    path: `/${request.path.join('/')}`.slice(0, 2000),
    uid: request.auth?.uid ?? null,
    ip: request.ip,
    request_id: request.requestId ?? null,
    version: ruleset.version,
    is_allowed: isAllowed,
    weight,
    errors,
    snapshot: snapshotOf(request, state),
    matched,
  }
}

/** PostgreSQL keeps no zero character in texts. */
const textOf = (rows: unknown) => JSON.stringify(rows).replaceAll('\\u0000', '\\ufffd')
