import type pg from 'pg'
import { hopsIn } from './call-chain.ts'
import type { DatabaseName } from './database/pools.ts'
import type { LazyTransaction } from './database/transaction.ts'
import { actorOf, actorOfAccount, type CallPlace } from './place.ts'
import type { Server } from './server.ts'

export interface EventToEmit {
  /** As listed in the brief: `version.submitted`. */
  type: string
  entity: string
  entityId: string
  data?: Record<string, unknown>
  /** The owner where it is not the team of the call. */
  teamId?: string | null
  /** How many functions led to it, where it is not of the call that writes the ledger. */
  hops?: number
}

export interface AuditEntry {
  action: string
  entity: string
  entityId: string
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  teamId?: string | null
  /** The account that did it, where the call itself is of nobody yet: a sign-in. */
  accountId?: string
}

export interface JobToStart {
  /** `packages.process`: as registered by the service's jobs.ts. */
  kind: string
  /** What it works on, for people: an id. */
  subject: string
  input: Record<string, unknown>
  /** Milliseconds from now after which it is stopped and failed. */
  deadlineMs: number
  teamId?: string | null
}

/** What a transaction leaves behind besides its rows; written with one statement a kind, which travel with the commit. */
export class Ledger {
  readonly events: EventToEmit[] = []
  readonly audits: AuditEntry[] = []
  readonly meters: { meter: string; amount: number }[] = []
  readonly signals: { channel: string; payload: string }[] = []
  readonly jobs: (JobToStart & { jobId: string })[] = []

  /** Writes the jobs; answers what is written together with the commit. */
  async write(
    transaction: LazyTransaction,
    place: CallPlace,
    server: Server,
    database: DatabaseName,
  ): Promise<pg.QueryConfig[]> {
    const at = server.clock.now()
    if (this.jobs.length > 0) await this.#writeJobs(transaction, place, server, database, at)
    return [
      ...(this.audits.length > 0 ? [this.#audits(place, server, at)] : []),
      ...(this.meters.length > 0 ? [this.#meters(place, at)] : []),
      ...(this.events.length > 0 ? [this.#events(place, server, at)] : []),
      ...(this.signals.length > 0 && this.events.length === 0 ? [this.#signals()] : []),
    ]
  }

  /** What the commit made true is told on this machine at once; others hear of it by NOTIFY. */
  tell(server: Server, database: DatabaseName): Promise<unknown> | undefined {
    return server.signals.tell(database, this.signals)
  }

  /** An event that nobody here listens to is relayed as it is written: it only stays on record. */
  #events(place: CallPlace, server: Server, at: number): pg.QueryConfig {
    const rows = this.events.map(event => ({
      event_id: server.ids.next(),
      type: event.type,
      team_id: event.teamId === undefined ? place.teamId : event.teamId,
      entity: event.entity,
      entity_id: event.entityId,
      actor: actorOf(place),
      data: ledData(place, event),
      at,
      relayed_at: server.isHeard(event.type) ? null : at,
    }))
    return {
      name: 'ledger events',
      text: `WITH written AS (
        INSERT INTO outbox (event_id, type, team_id, entity, entity_id, actor, data, at, next_attempt_at, relayed_at)
        SELECT event_id, type, team_id, entity, entity_id, actor, data, at, 0, relayed_at FROM jsonb_to_recordset($1::jsonb)
          AS row(event_id bigint, type text, team_id bigint, entity text, entity_id text, actor text, data jsonb, at bigint,
            relayed_at bigint)
        RETURNING 1)
        SELECT CASE WHEN $3 THEN pg_notify('outbox', '') END, count(*), (SELECT count(pg_notify(channel, payload))
          FROM jsonb_to_recordset($2::jsonb) AS signal(channel text, payload text)) FROM written`,
      values: [JSON.stringify(rows), JSON.stringify(this.signals), rows.some(row => row.relayed_at === null)],
    }
  }

  /** Those of a transaction with events travel with them. */
  #signals(): pg.QueryConfig {
    return {
      name: 'ledger signals',
      text: `SELECT pg_notify(channel, payload) FROM jsonb_to_recordset($1::jsonb) AS signal(channel text, payload text)`,
      values: [JSON.stringify(this.signals)],
    }
  }

  #audits(place: CallPlace, server: Server, at: number): pg.QueryConfig {
    const rows = this.audits.map(entry => ({
      audit_id: server.ids.next(),
      team_id: entry.teamId === undefined ? place.teamId : entry.teamId,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId,
      before: entry.before ?? null,
      after: entry.after ?? null,
      actor: entry.accountId === undefined ? actorOf(place) : actorOfAccount(entry.accountId),
    }))
    return {
      name: 'ledger audits',
      text: `INSERT INTO audit (audit_id, at, team_id, actor, ip, action, entity, entity_id, before, after, request_id)
        SELECT audit_id, $2, team_id, actor, $3, action, entity, entity_id, before, after, $4 FROM jsonb_to_recordset($1::jsonb)
          AS row(audit_id bigint, team_id bigint, actor text, action text, entity text, entity_id text, before jsonb, after jsonb)`,
      values: [JSON.stringify(rows), at, place.ip, place.requestId],
    }
  }

  #meters(place: CallPlace, at: number): pg.QueryConfig {
    return {
      name: 'ledger meters',
      text: `INSERT INTO usage (team_id, meter, day, amount)
        SELECT $2, meter, $3, sum(amount) FROM jsonb_to_recordset($1::jsonb) AS row(meter text, amount bigint) GROUP BY meter
        ON CONFLICT (team_id, meter, day) DO UPDATE SET amount = usage.amount + excluded.amount`,
      values: [JSON.stringify(this.meters), place.teamId, new Date(at).toISOString().slice(0, 10)],
    }
  }

  async #writeJobs(
    transaction: LazyTransaction,
    place: CallPlace,
    server: Server,
    database: DatabaseName,
    at: number,
  ): Promise<void> {
    for (const job of this.jobs) {
      await transaction.query({
        name: 'ledger job',
        text: `INSERT INTO jobs (job_id, team_id, kind, subject, input, state, deadline_at, created_at)
          VALUES ($1, $2, $3, $4, $5, 'queued', $6, $7)`,
        values: [
          job.jobId,
          job.teamId === undefined ? place.teamId : job.teamId,
          job.kind,
          job.subject,
          JSON.stringify(job.input),
          at + job.deadlineMs,
          at,
        ],
      })
      await server.deliver(database, job.jobId, (text, values) => transaction.query(text, values))
    }
  }
}

/** Who listens may call functions again, and has to know how many there were. */
function ledData(place: CallPlace, { data = {}, hops = hopsIn(place, data['projectId']) }: EventToEmit) {
  return hops > 0 ? { ...data, hops } : data
}
