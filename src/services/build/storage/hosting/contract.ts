import { type CallSpec, type Contract, service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { BucketId, storageErrors } from '../contract.ts'
import { limits, siteStates } from '../rules.ts'

const Path = text(limits.pathBytes, 1)

export const CacheRuleShape = shape({ pattern: text(200, 1), ttlSeconds: integer(0, 31_536_000) })

export const CdnSite = shape({
  bucketId: BucketId,
  state: oneOf(siteStates),
  /** Where it is served; the first one is the one to give away. */
  addresses: list(text(300)),
  indexDoc: text(limits.pathBytes),
  errorDoc: nullable(text(limits.pathBytes)),
  spaFallback: flag(),
  cacheRules: list(CacheRuleShape),
  refreshes: list(
    shape({ refreshId: text(40), at: Instant, paths: list(text(limits.pathBytes)), doneAt: nullable(Instant) }),
  ),
  /** Whether pages of this site keep an origin of their own: cookies and storage work only there. */
  hasOwnOrigin: flag(),
  revision: nullable(Revision),
})

const Hits = shape({
  count: integer(0, limits.previewedPaths),
  examples: list(text(limits.pathBytes), { maxItems: limits.previewExamples }),
})

const read = { method: 'POST', who: 'cp', may: 'storage.read' } as const satisfies Partial<CallSpec>
const manage = { method: 'POST', who: 'cp', may: 'storage.manage' } as const satisfies Partial<CallSpec>

/** Buckets that are sites. */
export const storageHosting = service({
  name: 'build/storage',
  prefix: '/css/cloud-storage/v2',
  zone: 'current',
  permissions: ['storage.read', 'storage.manage'],
  errors: storageErrors,
  calls: {
    queryCDN: {
      ...read,
      path: '/hosting/queryCDN',
      summary: 'The site of a bucket and its refreshes',
      body: shape({ bucketId: BucketId }),
      answer: CdnSite,
    },
    refreshCDN: {
      ...manage,
      path: '/hosting/refreshCDN',
      summary: 'Forgets what is kept of some files, of a folder, or of the whole site',
      body: shape({
        bucketId: BucketId,
        paths: optional(list(Path, { maxItems: limits.refreshedAtOnce })),
        prefix: optional(text(limits.pathBytes)),
      }),
      answer: shape({ refreshId: text(40), jobId: Id }),
    },
    previewCacheRules: {
      ...read,
      path: '/hosting/previewCacheRules',
      summary: 'Which files of a bucket cache rules would decide, the first that fits; nothing is changed',
      body: shape({ bucketId: BucketId, cacheRules: list(CacheRuleShape, { maxItems: limits.cacheRules }) }),
      answer: shape({
        /** Files that were looked at; false where there are more. */
        looked: integer(0, limits.previewedPaths),
        isWhole: flag(),
        /** In the order of the rules. */
        hits: list(Hits),
        /** Decided by no rule: a minute for pages, an hour for the rest. */
        others: Hits,
      }),
    },
    updateSite: {
      ...manage,
      path: '/hosting/updateSite',
      summary: 'Opens, changes or closes the site of a bucket',
      body: shape({
        bucketId: BucketId,
        enabled: flag(),
        indexDoc: optional(Path),
        errorDoc: optional(nullable(Path)),
        spaFallback: optional(flag()),
        cacheRules: optional(list(CacheRuleShape, { maxItems: limits.cacheRules })),
        /** Of the site as it was read; none where there was none. */
        revision: optional(Revision),
      }),
      answer: CdnSite,
    },
  },
})

const { queryCDN } = storageHosting.calls

/** The older generation of what it has of them. */
export const storageHostingOlder: Contract<
  Pick<typeof storageHosting.calls, 'queryCDN'>,
  typeof storageHosting.errors
> = {
  ...storageHosting,
  prefix: '/css/cloud-storage/v1',
  calls: { queryCDN },
}
