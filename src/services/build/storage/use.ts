import { refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { BucketFacts } from './buckets/facts.ts'
import { storageErrors } from './contract.ts'
import { quotas } from './rules.ts'

interface Counted {
  bucket: BucketFacts
  classA: number
  classB: number
  egressBytes: number
}

const flushMs = 5_000

/**
 * Counts what buckets are used for in memory and writes it down every few seconds: a row a request would cost more than the
 * request. What a killed process had not written is not billed.
 */
export class UseCounter {
  readonly #server: Server
  #counted = new Map<string, Counted>()
  /** Of the day, by project, as it was when last looked at. */
  readonly #known = new Map<string, { day: string; operations: number; egressBytes: number; isFresh: boolean }>()
  readonly #timer: NodeJS.Timeout

  constructor(server: Server) {
    this.#server = server
    this.#timer = setInterval(() => void this.flush().catch(() => undefined), flushMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush().catch(() => undefined)
  }

  /** Counts one operation; refuses when the project has used up what it may a day. */
  async count(bucket: BucketFacts, kind: 'classA' | 'classB', egressBytes = 0): Promise<void> {
    let one = this.#counted.get(bucket.bucketId)
    if (!one) {
      one = { bucket, classA: 0, classB: 0, egressBytes: 0 }
      this.#counted.set(bucket.bucketId, one)
    }
    one[kind]++
    one.egressBytes += egressBytes
    if (quotas[bucket.level].operationsPerDay !== null) await this.#assertWithin(bucket, egressBytes)
  }

  async #assertWithin(bucket: BucketFacts, egressBytes: number): Promise<void> {
    const day = dayOf(this.#server.clock.now())
    let known = this.#known.get(bucket.projectId)
    if (known?.day !== day || !known.isFresh) {
      known = { day, ...(await this.#usedToday(bucket, day)), isFresh: true }
      this.#known.set(bucket.projectId, known)
    }
    known.operations++
    known.egressBytes += egressBytes
    const { operationsPerDay, egressBytesPerDay } = quotas[bucket.level]
    if (operationsPerDay !== null && known.operations > operationsPerDay)
      refuse(storageErrors.overQuota, {
        quota: 'operationsPerDay',
        limit: operationsPerDay,
        used: known.operations - 1,
      })
    if (egressBytesPerDay !== null && known.egressBytes > egressBytesPerDay + egressBytes)
      refuse(storageErrors.overQuota, { quota: 'egressBytesPerDay', limit: egressBytesPerDay, used: known.egressBytes })
  }

  async #usedToday(bucket: BucketFacts, day: string) {
    const ctx = systemContext(this.#server, bucket.zone, { name: 'storage', teamId: bucket.teamId })
    const { rows } = await ctx.transact(inner =>
      inner.transaction(bucket.zone).query<{ operations: string; bytes: string }>({
        name: 'storage used today',
        text: `SELECT coalesce(sum(class_a + class_b), 0) AS operations, coalesce(sum(egress_bytes), 0) AS bytes
          FROM storage_days WHERE project_id = $1 AND day = $2`,
        values: [bucket.projectId, day],
      }),
    )
    return { operations: Number(rows[0]?.operations ?? 0), egressBytes: Number(rows[0]?.bytes ?? 0) }
  }

  /** Writes down what was counted. */
  async flush(): Promise<void> {
    const counted = [...this.#counted.values()]
    this.#counted = new Map()
    const day = dayOf(this.#server.clock.now())
    const byZone = new Map<ZoneId, Counted[]>()
    for (const one of counted) byZone.set(one.bucket.zone, [...(byZone.get(one.bucket.zone) ?? []), one])
    for (const [zone, list] of byZone) {
      const ctx = systemContext(this.#server, zone, { name: 'storage' })
      await ctx.transact(inner =>
        inner.transaction(zone).query({
          name: 'storage count use',
          text: `INSERT INTO storage_days (bucket_id, day, team_id, project_id, class_a, class_b, egress_bytes)
            SELECT bucket_id, $1, team_id, project_id, a, b, egress FROM jsonb_to_recordset($2::jsonb)
              AS one(bucket_id text, team_id bigint, project_id bigint, a bigint, b bigint, egress bigint)
            ON CONFLICT (bucket_id, day) DO UPDATE SET class_a = storage_days.class_a + excluded.class_a,
              class_b = storage_days.class_b + excluded.class_b, egress_bytes = storage_days.egress_bytes + excluded.egress_bytes`,
          values: [
            day,
            JSON.stringify(
              list.map(({ bucket, classA, classB, egressBytes }) => ({
                bucket_id: bucket.bucketId,
                team_id: bucket.teamId,
                project_id: bucket.projectId,
                a: classA,
                b: classB,
                egress: egressBytes,
              })),
            ),
          ],
        }),
      )
    }
    // Other processes count, too: what was used is read again.
    for (const known of this.#known.values()) known.isFresh = false
  }
}

export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const gathered = 'storage.use'
const counters = new WeakMap<Server, UseCounter>()

/** Starts counting for a server; answers what ends it. */
export function startCounting(server: Server): () => Promise<void> {
  const counter = new UseCounter(server)
  counters.set(server, counter)
  server.gathered.add(gathered, () => counter.flush())
  return () => counter.stop()
}

/** Counts an operation on a bucket. Refuses 402 where the project's level has an end and it is reached. */
export async function countUse(
  server: Server,
  bucket: BucketFacts,
  kind: 'classA' | 'classB',
  egressBytes = 0,
): Promise<void> {
  await counters.get(server)?.count(bucket, kind, egressBytes)
}

/** What was counted is on record when this returns. */
export async function recordUse(server: Server): Promise<void> {
  await server.gathered.write(gathered)
}
