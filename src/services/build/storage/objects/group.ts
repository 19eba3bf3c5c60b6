import type { Context } from '../../../../server/context.ts'
import { LazyTransaction } from '../../../../server/database/transaction.ts'
import { Ledger } from '../../../../server/ledger.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { quotas } from '../rules.ts'
import { fileKey, fileSignal } from './nearby.ts'
import { type Put, putStatement, rowAfter } from './putting.ts'
import { type ObjectRow, objectColumns, toRow } from './rows.ts'
import type { Write } from './write.ts'
import { assertExpected, assertRoom, fileEvent } from './writing.ts'

interface Waiting {
  ctx: Context
  bucket: BucketFacts
  write: Write
  resolve(row: ObjectRow): void
  reject(error: unknown): void
}

/** With more groups at once each is smaller, and costs as much: the next one goes alongside when it is worth it, */
const leastAlongside = 8
/** or when one of the others waits for somebody. */
const slowMs = 50
const groupsAtOnce = 4
const mostOfGroup = 64

/** Apps and S3 clients, in buckets that keep no versions: nothing else must be looked at, and nobody is named by the event. */
export function goesInGroup(ctx: Context, bucket: BucketFacts): boolean {
  return bucket.versioning === 'OFF' && ctx.caller.kind === 'anonymous' && ctx.caller.clientId === undefined
}

/**
 * Writes a file together with those that come while others are being written: one transaction, one wait for the disk and
 * one notice for all of them. Whoever comes alone waits for nobody. Each is judged by itself, and fails by itself.
 */
export function writeInGroup(ctx: Context, bucket: BucketFacts, write: Write): Promise<ObjectRow> {
  return new Promise((resolve, reject) => writerOf(ctx.server, bucket).add({ ctx, bucket, write, resolve, reject }))
}

const writers = new WeakMap<Server, Map<string, GroupWriter>>()

/** Of a team in a zone, as row-level security takes the files of one team at a time. */
function writerOf(server: Server, { zone, teamId }: BucketFacts): GroupWriter {
  const all = writers.get(server) ?? new Map<string, GroupWriter>()
  writers.set(server, all)
  const key = `${zone} ${teamId}`
  let writer = all.get(key)
  if (!writer) {
    writer = new GroupWriter(() => all.delete(key))
    all.set(key, writer)
  }
  return writer
}

const keyOf = ({ bucket, write }: Waiting) => fileKey(bucket.bucketId, write.path)

class GroupWriter {
  readonly #isIdle: () => void
  #waiting: Waiting[] = []
  #running = 0
  #begunAt = 0

  constructor(isIdle: () => void) {
    this.#isIdle = isIdle
  }

  add(one: Waiting): void {
    this.#waiting.push(one)
    this.#next()
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#hasTurn()) {
      const group = this.#take()
      this.#running++
      this.#begunAt = performance.now()
      void writeGroup(group).then(() => {
        this.#running--
        this.#next()
      })
    }
    if (this.#running === 0) this.#isIdle()
  }

  #hasTurn(): boolean {
    if (this.#running === 0) return true
    const isWorthIt = this.#waiting.length >= leastAlongside || performance.now() - this.#begunAt > slowMs
    return isWorthIt && this.#running < groupsAtOnce
  }

  /** The first ones, each path once; the second of two writers of one file comes after the first. */
  #take(): Waiting[] {
    const group = new Map<string, Waiting>()
    const rest: Waiting[] = []
    for (const one of this.#waiting) {
      const key = keyOf(one)
      if (group.size < mostOfGroup && !group.has(key)) group.set(key, one)
      else rest.push(one)
    }
    this.#waiting = rest
    // In the order of their keys, so that two groups never wait for each other.
    return [...group].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  }
}

/** Never rejects: each of the group is told what became of it. */
async function writeGroup(group: readonly Waiting[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { ctx, bucket } = first
  const transaction = new LazyTransaction(ctx.server.pools.of(bucket.zone), { team: bucket.teamId })
  const accepted: { one: Waiting; put: Put }[] = []
  try {
    const { before, used } = await look(transaction, group)
    const now = ctx.now()
    for (const one of group) {
      try {
        accepted.push({ one, put: judged(one, before.get(keyOf(one)) ?? null, used, now) })
      } catch (error) {
        one.reject(error)
      }
    }
    if (accepted.length === 0) return await transaction.rollback()
    const ledger = new Ledger()
    const rows = accepted.map(({ put }) => rowAfter(put, now))
    accepted.forEach(({ one }, at) => {
      ledger.signals.push({ channel: fileSignal, payload: keyOf(one) })
      ledger.events.push(fileEvent('finalized', one.bucket, rows[at] as ObjectRow))
    })
    const put = putStatement(
      accepted.map(one => one.put),
      now,
    )
    await transaction.commit([put, ...(await ledger.write(transaction, ctx.place, ctx.server, bucket.zone))])
    ledger.tellHere(ctx.server, bucket.zone)
    accepted.forEach(({ one }, at) => void one.resolve(rows[at] as ObjectRow))
  } catch (error) {
    await transaction.rollback().catch(() => undefined)
    const left = accepted.length > 0 ? accepted.map(({ one }) => one) : group
    // PostgreSQL refused the group, for the sake of one of them; where it did not answer nobody knows what it did.
    if (left.length === 1 || !isRefusedByPostgres(error)) for (const one of left) one.reject(error)
    else for (const one of left) await writeGroup([one])
  }
}

const isRefusedByPostgres = (error: unknown) =>
  /^[0-9A-Z]{5}$/.test(String((error as { code?: string } | null)?.code ?? '')) &&
  (error as { severity?: string }).severity === 'ERROR'

/** What stands there. Writers of these files wait from here to the commit. */
async function look(transaction: LazyTransaction, group: readonly Waiting[]) {
  const bucketIds = group.map(({ bucket }) => bucket.bucketId)
  const paths = group.map(({ write }) => write.path)
  const limited = group.filter(({ bucket }) => quotas[bucket.level].storedBytes !== null)
  const [, found, sums] = await transaction.together([
    {
      name: 'storage lock group',
      text: `SELECT count(pg_advisory_xact_lock(hashtextextended(key, 403))) FROM unnest($1::text[]) key`,
      values: [group.map(keyOf)],
    },
    // Sent along with the locks, and answered after them: it sees what the last writers committed.
    {
      name: 'storage find group',
      text: `SELECT ${objectColumns} FROM storage_objects
        WHERE (bucket_id, path) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      values: [bucketIds, paths],
    },
    ...(limited.length === 0 ? [] : [usedQuery([...new Set(limited.map(({ bucket }) => bucket.projectId))])]),
  ])
  const rows = (found?.rows ?? []) as ObjectRow[]
  const before = new Map(rows.map(row => [fileKey(row.bucketId, row.path), toRow(row)]))
  const used = (sums?.rows ?? []) as { project: string; used: string }[]
  return { before, used: new Map(used.map(row => [row.project, Number(row.used)])) }
}

const usedQuery = (projectIds: readonly string[]) => ({
  name: 'storage used group',
  text: `SELECT b.project_id AS project, coalesce(sum(c.bytes), 0) AS used FROM storage_buckets b
    JOIN storage_counters c USING (bucket_id) WHERE b.project_id = ANY($1::bigint[]) GROUP BY 1`,
  values: [projectIds],
})

/** Refuses what must not be written; counts what is. */
function judged(one: Waiting, before: ObjectRow | null, used: Map<string, number>, now: number): Put {
  const { bucket, write } = one
  assertExpected(before, write.when)
  write.allow?.(before ? 'update' : 'create', before)
  const more = write.content.sizeBytes - (before?.sizeBytes ?? 0)
  const known = used.get(bucket.projectId) ?? 0
  assertRoom(bucket, more, known)
  used.set(bucket.projectId, known + more)
  return { bucket, write, before, generation: Math.max(now * 1000, (before?.generation ?? 0) + 1) }
}
