import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import { type Job, PgBoss } from 'pg-boss'
import type { ZoneId } from '../kernel/zones.ts'
import { systemContext } from './context.ts'
import type { DatabaseName } from './database/pools.ts'
import { expiredAnswers } from './idempotency.ts'
import { runJob } from './job-run.ts'
import { reasonOf } from './log.ts'
import { Relay } from './relay.ts'
import type { Server } from './server.ts'
import type { JobKind, Sweep, Work } from './work.ts'

/** The one queue; kinds of work are told apart by the job's row. */
const queue = 'work'
const leaseSeconds = 15
const maxAttempts = 4
/** Of each database, in one process. */
const jobsAtOnce = 2
/**
 * Many sweeps are due in the same second: one after another over so much of it, or every call would wait for all of them.
 * Each has its place, the same in every process, or each process would find the work of the one before it to be done again.
 */
const sweepSpreadMs = 950
/** The queue doubles its pauses, with some chance in them. */
const retriedAfterMs = [1_100, 2_100, 3_100, 4_100] as const

/** Runs what services do besides answering calls: jobs through pg-boss, listeners over the outbox, sweeps by the clock. */
export class Worker {
  readonly #server: Server
  readonly #kinds: ReadonlyMap<string, JobKind>
  readonly #sweeps: readonly Sweep[]
  readonly #bosses = new Map<DatabaseName, PgBoss>()
  readonly #sweepCrons: Cron[] = []
  #relayCron: Cron | undefined
  #isSweepingOver = false
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly relay: Relay

  constructor(server: Server, work: readonly Work[]) {
    this.#server = server
    this.#kinds = new Map(work.flatMap(one => one.jobs ?? []).map(kind => [kind.kind, kind]))
    this.#sweeps = [...lostJobs(server), ...expiredAnswers, ...work.flatMap(one => one.sweeps ?? [])]
    this.relay = new Relay(
      server,
      work.flatMap(one => one.listeners ?? []),
    )
    for (const database of server.pools.names) {
      const boss = bossOf(server.pools.url(database))
      boss.on('error', error =>
        server.log.warn({ database, reason: error.message }, 'the job queue waits for its database'),
      )
      this.#bosses.set(database, boss)
      server.signals.on(database, 'outbox', () => void this.relay.poke(database))
    }
    server.isHeard = type => this.relay.isHeard(type)
    server.deliver = async (database, jobId, query) => {
      await this.#boss(database).send(queue, { jobId }, { db: { executeSql: query } })
    }
  }

  async start(): Promise<void> {
    await Promise.all([...this.#bosses].map(([database, boss]) => this.#startBoss(database, boss)))
    for (const [at, sweep] of this.#sweeps.entries()) {
      const afterMs = Math.floor((sweepSpreadMs * at) / this.#sweeps.length)
      this.#sweepCrons.push(
        new Cron(sweep.every, { protect: true, unref: true }, () => this.#sweepAfter(afterMs, sweep)),
      )
    }
    const look = () => Promise.all(this.#server.pools.names.map(database => this.relay.poke(database)))
    this.#relayCron = new Cron('*/5 * * * * *', { protect: true, unref: true }, async () => void (await look()))
  }

  async stop(): Promise<void> {
    this.stopSweeping()
    this.#relayCron?.stop()
    for (const timer of this.#timers) clearTimeout(timer)
    await this.relay.close()
    await Promise.all([...this.#bosses.values()].map(boss => boss.stop({ graceful: true, timeout: 8_000 })))
  }

  /** Runs every sweep once, now: what tests do after turning the clock. */
  async sweep(): Promise<void> {
    for (const sweep of this.#sweeps) await this.#sweepAll(sweep)
  }

  /** Leaves sweeps to `sweep` from now on: what tests do that look whether anything at all was changed. */
  stopSweeping(): void {
    this.#isSweepingOver = true
    for (const cron of this.#sweepCrons) cron.stop()
  }

  async #startBoss(database: DatabaseName, boss: PgBoss): Promise<void> {
    await startBoss(boss)
    await boss.supervise(queue)
    for (let at = 0; at < jobsAtOnce; at++) await this.#work(database, boss)
  }

  /** One job after another. Two such, not one that is told of two: a worker is woken by its own id alone. */
  async #work(database: DatabaseName, boss: PgBoss): Promise<void> {
    const options = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 3, batchSize: 1 }
    // The first job may come before its worker has a name.
    let worker: string | undefined
    worker = await boss.work<{ jobId: string }>(queue, options, async ([job]: Job<{ jobId: string }>[]) => {
      if (!job) return
      try {
        await runJob(this.#server, this.#kinds, database, job.data.jobId, { leaseSeconds, maxAttempts })
      } catch (error) {
        if (worker !== undefined) this.#lookAgain(boss, worker)
        throw error
      } finally {
        // What waits behind it is taken now; of itself the queue looks again after its pause, whatever waits.
        if (worker !== undefined) boss.notifyWorker(worker)
      }
    })
  }

  /** Of a new job the queue tells; of one that is to be tried again nobody does: it is looked for when it may be due. */
  #lookAgain(boss: PgBoss, worker: string): void {
    for (const afterMs of retriedAfterMs) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        boss.notifyWorker(worker)
      }, afterMs).unref()
      this.#timers.add(timer)
    }
  }

  #boss(database: DatabaseName): PgBoss {
    const boss = this.#bosses.get(database)
    if (!boss) throw new Error('the zone Id is invalid')
    return boss
  }

  async #sweepAfter(afterMs: number, sweep: Sweep): Promise<void> {
    await sleep(afterMs, undefined, { ref: false })
    if (!this.#isSweepingOver) await this.#sweepAll(sweep)
  }

  async #sweepAll(sweep: Sweep): Promise<void> {
    const names = this.#server.pools.names.filter(name => (name === 'home') === (sweep.database === 'home'))
    for (const name of names) {
      try {
        await this.#sweepOne(sweep, name)
      } catch (error) {
        this.#server.log.warn({ sweep: sweep.name, database: name, reason: reasonOf(error) }, 'a sweep failed')
      }
    }
  }

  /** The advisory lock leaves the sweep to one process; it falls with the transaction, which is that of the sweep. */
  async #sweepOne(sweep: Sweep, database: DatabaseName): Promise<void> {
    const zone = (database === 'home' ? this.#server.config.zones[0] : database) as ZoneId
    const outer = systemContext(this.#server, zone, { name: sweep.name, scope: 'all' })
    if (sweep.isOutside) return sweep.run(outer)
    await outer.transact(async ctx => {
      const { rows } = await ctx.transaction(database).query<{ free: boolean }>({
        name: 'sweep guard',
        text: 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS free',
        values: [`sweep ${sweep.name}`],
      })
      if (rows[0]?.free) await sweep.run(ctx)
    })
  }
}

/**
 * Jobs that the queue has given up on because each delivery died with its process: delivered again, so that they are
 * ended or failed and no subject waits for ever.
 */
function lostJobs(server: Server): Sweep[] {
  return (['home', 'zone'] as const).map(database => ({
    name: `jobs.lost ${database}`,
    every: '*/10 * * * * *',
    database,
    run: async ctx => {
      const place = database === 'home' ? 'home' : ctx.zone
      const transaction = ctx.transaction(place)
      const { rows } = await transaction.query<{ job_id: string }>({
        name: 'jobs lost',
        text: `SELECT job_id FROM jobs WHERE state IN ('queued', 'running') AND coalesce(lease_until, created_at) < $1
            AND NOT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $2 AND state < 'completed' AND data ->> 'jobId' = job_id::text)
          ORDER BY job_id LIMIT 100`,
        values: [ctx.now() - leaseSeconds * 1000, queue],
      })
      for (const { job_id } of rows)
        await server.deliver(place, job_id, (text, values) => transaction.query(text, values))
    },
  }))
}

function bossOf(connectionString: string): PgBoss {
  return new PgBoss({
    connectionString,
    application_name: 'loggia jobs',
    schema: 'pgboss',
    createSchema: false,
    max: 3,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 3600,
  })
}

async function startBoss(boss: PgBoss): Promise<void> {
  await boss.start()
  await boss.createQueue(queue, {
    notify: true,
    heartbeatSeconds: leaseSeconds,
    retryLimit: maxAttempts - 1,
    retryDelay: 1,
    retryBackoff: true,
    expireInSeconds: 6 * 3600,
  })
}

/** Makes the queue's tables in a database, so that copies of it start at once. */
export async function startQueue(connectionString: string): Promise<void> {
  const boss = bossOf(connectionString)
  boss.on('error', () => undefined)
  await startBoss(boss)
  await boss.stop({ graceful: false })
}
