import { refuse } from '../../../../kernel/errors.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { storageErrors } from '../contract.ts'
import type { BucketState, CorsRule, Level, Versioning } from '../rules.ts'

/** What every request to a bucket needs of it. */
export interface BucketFacts {
  bucketId: string
  teamId: string
  projectId: string
  zone: ZoneId
  state: BucketState
  level: Level
  versioning: Versioning
  maxObjectBytes: number | null
  allowedTypes: string[]
  cors: CorsRule[]
}

const maxKept = 10_000
const kept = new WeakMap<Server, Map<string, Promise<BucketFacts | null>>>()

function keptOf(server: Server): Map<string, Promise<BucketFacts | null>> {
  let facts = kept.get(server)
  if (!facts) {
    facts = new Map()
    kept.set(server, facts)
  }
  return facts
}

export const bucketSignal = 'storage_buckets'

/** A bucket that changed is looked up anew; on every process. An empty payload drops all. */
export function keepBucketsFresh(server: Server): void {
  for (const database of server.pools.names)
    server.signals.on(database, bucketSignal, bucketId => forgetBucket(server, bucketId))
}

export function forgetBucket(server: Server, bucketId: string): void {
  if (bucketId === '') keptOf(server).clear()
  else keptOf(server).delete(bucketId)
}

/** The bucket of an address, from memory after the first time. Refuses 404, also one of a zone that is served elsewhere. */
export async function bucketOf(server: Server, bucketId: string): Promise<BucketFacts> {
  const facts = keptOf(server)
  let found = facts.get(bucketId)
  if (!found) {
    if (facts.size >= maxKept) facts.clear()
    found = lookUp(server, bucketId)
    facts.set(bucketId, found)
    // A failure, and a name that is not taken yet, are asked again.
    void found.then(
      known => known === null && facts.delete(bucketId),
      () => facts.delete(bucketId),
    )
  }
  return (await found) ?? refuse(storageErrors.noBucket, { bucket: bucketId })
}

async function lookUp(server: Server, bucketId: string): Promise<BucketFacts | null> {
  const [first] = server.config.zones
  if (first === undefined) return null
  const home = systemContext(server, first, { name: 'storage' })
  const { rows: places } = await home.transact(inner =>
    inner.transaction('home').query<{ zone: ZoneId }>({
      name: 'storage place',
      text: 'SELECT zone FROM storage_bucket_names WHERE bucket_id = $1',
      values: [bucketId],
    }),
  )
  const zone = places[0]?.zone
  if (zone === undefined || !server.config.zones.includes(zone)) return null
  const ctx = systemContext(server, zone, { name: 'storage' })
  const { rows } = await ctx.transact(inner =>
    inner.transaction(zone).query<Omit<BucketFacts, 'zone' | 'maxObjectBytes'> & { maxObjectBytes: string | null }>({
      name: 'storage bucket facts',
      text: `SELECT b.bucket_id AS "bucketId", b.team_id AS "teamId", b.project_id AS "projectId", b.state, b.versioning, s.level,
          b.max_object_bytes AS "maxObjectBytes", b.allowed_types AS "allowedTypes", b.cors
        FROM storage_buckets b JOIN storage_services s USING (project_id) WHERE b.bucket_id = $1`,
      values: [bucketId],
    }),
  )
  const row = rows[0]
  if (!row) return null
  return { ...row, zone, maxObjectBytes: row.maxObjectBytes === null ? null : Number(row.maxObjectBytes) }
}

/** The same caller, with the rows of a bucket's team in the bucket's zone. */
export function within(ctx: Context, bucket: Pick<BucketFacts, 'teamId' | 'zone'>): Context {
  const { teamId, zone } = bucket
  return new Context(ctx.server, { ...ctx.place, teamId, zone, scope: { team: teamId } })
}

/** Refuses what would write to a bucket that only reads now. */
export function assertWritable(bucket: BucketFacts): void {
  if (bucket.level === 'SUSPENDED') refuse(storageErrors.suspended)
  if (bucket.state === 'DELETING') refuse(storageErrors.noBucket, { bucket: bucket.bucketId })
}
