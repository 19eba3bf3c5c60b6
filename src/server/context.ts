import type { AnyColumn, SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { commonErrors, refuse } from '../kernel/errors.ts'
import { covers, type MemberScope, type ScopedThing } from '../kernel/permissions.ts'
import type { ZoneId } from '../kernel/zones.ts'
import type { DatabaseName } from './database/pools.ts'
import { type Db, LazyTransaction, type RowScope } from './database/transaction.ts'
import { type AuditEntry, type EventToEmit, type JobToStart, Ledger } from './ledger.ts'
import type { Log } from './log.ts'
import type { Caller, CallPlace } from './place.ts'
import type { Server } from './server.ts'

/**
 * What a handler works with. `db` and `home` begin a transaction with their first query and are committed together with
 * the audit rows and events when the handler returns: the zone's first, then home's. Nothing is atomic over both; what
 * must follow in the other database follows by event.
 */
export class Context {
  readonly server: Server
  readonly place: CallPlace
  /** Nobody commits it: what is written belongs into `transact`. */
  readonly #isOutside: boolean
  #log: Log | undefined
  #transactions: Map<DatabaseName, LazyTransaction> | undefined
  #ledgers: Map<DatabaseName, Ledger> | undefined

  constructor(server: Server, place: CallPlace, isOutside = false) {
    this.server = server
    this.place = place
    this.#isOutside = isOutside
  }

  get caller(): Caller {
    return this.place.caller
  }

  get zone(): ZoneId {
    return this.place.zone
  }

  get log(): Log {
    this.#log ??= this.server.log.child({ requestId: this.place.requestId })
    return this.#log
  }

  /** The team this call acts for. Refuses when there is none. */
  get teamId(): string {
    return this.place.teamId ?? refuse(commonErrors.teamMissing)
  }

  /** The account that calls. Refuses when nobody is signed in. */
  get accountId(): string {
    return this.caller.accountId ?? refuse(commonErrors.noSession)
  }

  /** Rows of the zone. */
  get db(): Db {
    return this.transaction(this.place.zone).db
  }

  /** Accounts, teams, the project index, the catalogue. */
  get home(): Db {
    return this.transaction('home').db
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.server.clock.now()
  }

  newId(): string {
    return this.server.ids.next()
  }

  may(permission: string): boolean {
    if (permission === 'system') return this.caller.kind === 'system'
    return this.caller.kind === 'system' || this.caller.permissions.has(permission)
  }

  /** Which projects and apps of the team the caller may reach. */
  get memberScope(): MemberScope {
    return this.place.memberScope ?? 'all'
  }

  /**
   * Refuses what is out of the caller's scope: 404 for a project or an app, as for another team's; 403 when nothing is
   * named, which is what concerns the whole team.
   */
  assertScope(thing: ScopedThing): void {
    if (covers(this.memberScope, thing)) return
    const { projectId, appId } = thing
    if (appId != null) refuse(commonErrors.notFound, { entity: 'app', id: appId })
    if (projectId != null) refuse(commonErrors.notFound, { entity: 'project', id: projectId })
    refuse(commonErrors.outOfScope)
  }

  /** The condition that keeps a query within the caller's scope; undefined where that is the whole team. */
  withinScope(columns: { projectId?: AnyColumn | SQL; appId?: AnyColumn | SQL }): SQL | undefined {
    const scope = this.memberScope
    if (scope === 'all') return undefined
    const parts = [
      ...(columns.appId ? [sql`${columns.appId} = ANY(${sql.param([...scope.apps])}::bigint[])`] : []),
      ...(columns.projectId ? [sql`${columns.projectId} = ANY(${sql.param([...scope.projects])}::bigint[])`] : []),
    ]
    return sql`(${sql.join(parts, sql` OR `)})`
  }

  /** The same for SQL by hand: `$1::bigint[] IS NULL OR project_id = ANY($1) OR app_id = ANY($2)`; null is the whole team. */
  get scopeIds(): { projects: string[] | null; apps: string[] | null } {
    const scope = this.memberScope
    return scope === 'all' ? { projects: null, apps: null } : { projects: [...scope.projects], apps: [...scope.apps] }
  }

  /** The transaction of one database, for SQL by hand. */
  transaction(database: DatabaseName): LazyTransaction {
    this.#assertCommitted()
    this.#transactions ??= new Map()
    let transaction = this.#transactions.get(database)
    if (!transaction) {
      transaction = new LazyTransaction(
        this.server.pools.of(database),
        this.place.scope,
        this.place.isReadOnly ? 'read' : 'write',
        this.place.timeLeftMs,
      )
      this.#transactions.set(database, transaction)
    }
    return transaction
  }

  /** Writes an event with the change it tells of. `database` is where the change was written. */
  emit(event: EventToEmit, database: DatabaseName = this.place.zone): void {
    this.#ledger(database).events.push(event)
  }

  /** Says who did what; every change of something people own has one. */
  audit(entry: AuditEntry, database: DatabaseName = this.place.zone): void {
    this.#ledger(database).audits.push(entry)
  }

  /** Counts use of something billed, by team, meter and UTC day. */
  meter(meter: string, amount: number, database: DatabaseName = this.place.zone): void {
    this.#ledger(database).meters.push({ meter, amount })
  }

  /** Starts long work when this transaction commits. Returns the job's id for the progress bar. */
  startJob(job: JobToStart, database: DatabaseName = this.place.zone): string {
    const jobId = this.newId()
    this.#ledger(database).jobs.push({ ...job, jobId })
    return jobId
  }

  /** Tells every process something to look at; with the commit, and on this machine before the call is answered. */
  signal(database: DatabaseName, channel: string, payload: string): void {
    this.#ledger(database).signals.push({ channel, payload })
  }

  /** A transaction of its own, for calls that talk to an engine in between and for workers. */
  async transact<T>(work: (ctx: Context) => Promise<T>, scope: RowScope = this.place.scope): Promise<T> {
    const inner = new Context(this.server, { ...this.place, scope })
    try {
      const result = await work(inner)
      await inner.commit()
      return result
    } catch (error) {
      await inner.rollback()
      throw error
    }
  }

  /** Writes the ledgers and commits; zone databases first. Undefined where nothing was asked or told: there is no wait then. */
  commit(): Promise<void> | undefined {
    return this.#transactions || this.#ledgers ? this.#commit() : undefined
  }

  async #commit(): Promise<void> {
    const last = new Map<DatabaseName, pg.QueryConfig[]>()
    for (const [database, ledger] of this.#ledgers ?? []) {
      last.set(database, await ledger.write(this.transaction(database), this.place, this.server, database))
    }
    const ordered = [...(this.#transactions ?? [])].sort(([a], [b]) => Number(a === 'home') - Number(b === 'home'))
    for (const [database, transaction] of ordered) {
      await transaction.commit(last.get(database))
      const heard = this.#ledgers?.get(database)?.tell(this.server, database)
      if (heard) await heard
    }
  }

  async rollback(): Promise<void> {
    await Promise.all([...(this.#transactions?.values() ?? [])].map(transaction => transaction.rollback()))
  }

  /** A transaction that nobody ends would keep its connection for ever, and lose what was written. */
  #assertCommitted(): void {
    if (this.#isOutside) throw new Error('nothing commits this context: use ctx.transact')
  }

  #ledger(database: DatabaseName): Ledger {
    this.#assertCommitted()
    this.#ledgers ??= new Map()
    let ledger = this.#ledgers.get(database)
    if (!ledger) {
      ledger = new Ledger()
      this.#ledgers.set(database, ledger)
    }
    return ledger
  }
}

const everything: ReadonlySet<string> = new Set()

/**
 * A context for workers and timers: no user, all permissions, rows of one team or of all. It is outside of any transaction:
 * queries are for `transact`.
 */
export function systemContext(
  server: Server,
  zone: ZoneId,
  options: { teamId?: string | null; name: string; scope?: RowScope },
): Context {
  const place: CallPlace = {
    caller: {
      kind: 'system',
      accountId: null,
      name: options.name,
      permissions: everything,
      staffRoles: [],
      sessionId: null,
    },
    teamId: options.teamId ?? null,
    zone,
    scope: options.scope ?? (options.teamId ? { team: options.teamId } : 'all'),
    requestId: `system-${server.ids.next()}`,
    ip: null,
    language: 'en',
  }
  return new Context(server, place, true)
}
