import { hopsIn } from '../../../../server/call-chain.ts'
import type { Context } from '../../../../server/context.ts'
import { LazyTransaction } from '../../../../server/database/transaction.ts'
import { Ledger } from '../../../../server/ledger.ts'
import type { Server } from '../../../../server/server.ts'
import { Together, type Waiting } from '../../../../server/together.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { quotas } from '../rules.ts'
import { fileKey, fileSignal } from './nearby.ts'
import { type Put, putStatement, rowAfter } from './putting.ts'
import { dropReplaced } from './replaced.ts'
import { type ObjectRow, objectColumns, toRow } from './rows.ts'
import type { Write } from './write.ts'
import { assertExpected, assertRoom, fileEvent } from './writing.ts'

interface Wanted {
  ctx: Context
  bucket: BucketFacts
  write: Write
}

type Waits = Waiting<Wanted, ObjectRow>

/** Apps and S3 clients, in buckets that keep no versions: nothing else must be looked at, and nobody is named by the event. */
export function goesInGroup(ctx: Context, bucket: BucketFacts): boolean {
  return bucket.versioning === 'OFF' && ctx.caller.kind === 'anonymous' && ctx.caller.clientId === undefined
}

/** Writes a file together with others: each is judged by itself, and fails by itself. One notice tells of all of them. */
export function writeInGroup(ctx: Context, bucket: BucketFacts, write: Write): Promise<ObjectRow> {
  return writerOf(ctx.server, bucket).add({ ctx, bucket, write })
}

const writers = new WeakMap<Server, Map<string, Together<Wanted, ObjectRow>>>()

/** Of a team in a zone, as row-level security takes the files of one team at a time. */
function writerOf(server: Server, { zone, teamId }: BucketFacts): Together<Wanted, ObjectRow> {
  const all = writers.get(server) ?? new Map<string, Together<Wanted, ObjectRow>>()
  writers.set(server, all)
  const key = `${zone} ${teamId}`
  let writer = all.get(key)
  if (!writer) {
    writer = new Together({ keyOf, act: writeGroup, isIdle: () => all.delete(key) })
    all.set(key, writer)
  }
  return writer
}

const keyOf = ({ bucket, write }: Wanted) => fileKey(bucket.bucketId, write.path)

async function writeGroup(group: readonly Waits[]): Promise<void> {
  const [first] = group
  if (!first) return
  const { ctx, bucket } = first.one
  const transaction = new LazyTransaction(ctx.server.pools.of(bucket.zone), { team: bucket.teamId })
  const accepted: { waits: Waits; put: Put }[] = []
  try {
    const { before, used } = await look(transaction, group)
    const now = ctx.now()
    for (const waits of group) {
      try {
        accepted.push({ waits, put: judged(waits.one, before.get(waits.key) ?? null, used, now) })
      } catch (error) {
        waits.reject(error)
      }
    }
    if (accepted.length === 0) return await transaction.rollback()
    const ledger = new Ledger()
    const rows = accepted.map(({ put }) => rowAfter(put, now))
    accepted.forEach(({ waits }, at) => {
      ledger.signals.push({ channel: fileSignal, payload: waits.key })
      const { ctx, bucket } = waits.one
      const hops = hopsIn(ctx.place, bucket.projectId)
      ledger.events.push({ ...fileEvent('finalized', bucket, rows[at] as ObjectRow), hops })
    })
    const put = putStatement(
      accepted.map(one => one.put),
      now,
    )
    await transaction.commit([put, ...(await ledger.write(transaction, ctx.place, ctx.server, bucket.zone))])
    await ledger.tell(ctx.server, bucket.zone)
    accepted.forEach(({ waits }, at) => void waits.resolve(rows[at] as ObjectRow))
    dropReplaced(
      ctx.server,
      bucket.zone,
      accepted.flatMap(one => one.put.before?.blob ?? []),
    )
  } catch (error) {
    await transaction.rollback().catch(() => undefined)
    throw error
  }
}

/** What stands there. Writers of these files wait from here to the commit. */
async function look(transaction: LazyTransaction, group: readonly Waits[]) {
  const buckets = group.map(({ one }) => one.bucket)
  const limited = buckets.filter(bucket => quotas[bucket.level].storedBytes !== null)
  const [, found, sums] = await transaction.together([
    {
      name: 'storage lock group',
      text: `SELECT count(pg_advisory_xact_lock(hashtextextended(key, 403))) FROM unnest($1::text[]) key`,
      values: [group.map(({ key }) => key)],
    },
    // Sent along with the locks, and answered after them: it sees what the last writers committed.
    {
      name: 'storage find group',
      text: `SELECT ${objectColumns} FROM unnest($1::text[], $2::text[]) AS wanted (in_bucket, at_path)
        JOIN storage_objects ON bucket_id = in_bucket AND path = at_path`,
      values: [buckets.map(({ bucketId }) => bucketId), group.map(({ one }) => one.write.path)],
    },
    ...(limited.length === 0 ? [] : [usedQuery([...new Set(limited.map(({ projectId }) => projectId))])]),
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
function judged({ bucket, write }: Wanted, before: ObjectRow | null, used: Map<string, number>, now: number): Put {
  assertExpected(before, write.when)
  write.allow?.(before ? 'update' : 'create', before)
  const more = write.content.sizeBytes - (before?.sizeBytes ?? 0)
  const known = used.get(bucket.projectId) ?? 0
  assertRoom(bucket, more, known)
  used.set(bucket.projectId, known + more)
  return { bucket, write, before, generation: Math.max(now * 1000, (before?.generation ?? 0) + 1) }
}
