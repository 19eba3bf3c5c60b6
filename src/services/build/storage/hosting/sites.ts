import { refuse } from '../../../../kernel/errors.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { type BucketFacts, bucketOf } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import type { CacheRule, SiteState } from '../rules.ts'
import { SiteCache } from './site-cache.ts'

export interface SiteFacts {
  bucket: BucketFacts
  state: SiteState
  indexDoc: string
  errorDoc: string | null
  isSinglePage: boolean
  cacheRules: CacheRule[]
}

export const siteSignal = 'storage_sites'

interface Kept {
  facts: Map<string, Promise<SiteFacts | null>>
  cache: SiteCache
}

const maxKept = 5_000
const kept = new WeakMap<Server, Kept>()

function keptOf(server: Server): Kept {
  let sites = kept.get(server)
  if (!sites) {
    sites = { facts: new Map(), cache: new SiteCache(server) }
    kept.set(server, sites)
  }
  return sites
}

/** A site that changed or was refreshed is read anew, on every process. */
export function keepSitesFresh(server: Server): void {
  for (const zone of server.pools.names) {
    if (zone === 'home') continue
    server.signals.on(zone, siteSignal, bucketId => {
      const { facts, cache } = keptOf(server)
      if (bucketId === '') facts.clear()
      else facts.delete(bucketId)
      cache.forget(bucketId)
    })
  }
}

export const siteCacheOf = (server: Server) => keptOf(server).cache

/** The site of a bucket, from memory after the first time. Refuses 404, also a closed one. */
export async function siteOf(server: Server, bucketId: string): Promise<SiteFacts> {
  const { facts } = keptOf(server)
  let found = facts.get(bucketId)
  if (!found) {
    if (facts.size >= maxKept) facts.clear()
    found = lookUp(server, bucketId)
    facts.set(bucketId, found)
    void found.then(
      site => site === null && facts.delete(bucketId),
      () => facts.delete(bucketId),
    )
  }
  const site = await found
  if (!site || site.state === 'DISABLED' || site.state === 'FAILED') refuse(storageErrors.noSite, { bucket: bucketId })
  return site
}

async function lookUp(server: Server, bucketId: string): Promise<SiteFacts | null> {
  const bucket = await bucketOf(server, bucketId).catch(() => null)
  if (!bucket) return null
  const { rows } = await systemContext(server, bucket.zone, { name: 'storage' }).transact(inner =>
    inner.transaction(bucket.zone).query<Omit<SiteFacts, 'bucket'>>({
      name: 'storage site',
      text: `SELECT state, index_doc AS "indexDoc", error_doc AS "errorDoc", is_single_page AS "isSinglePage",
        cache_rules AS "cacheRules" FROM storage_sites WHERE bucket_id = $1`,
      values: [bucketId],
    }),
  )
  return rows[0] ? { ...rows[0], bucket } : null
}
