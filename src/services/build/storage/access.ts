import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { type AppCaller, appCallerOf } from '../app-auth/public.ts'
import {
  type Decision,
  decide,
  decideNow,
  grantsUnseen,
  publishedRules,
  type RuleMethod,
  type RuleRequest,
  type Ruleset,
} from '../rules/public.ts'
import type { BucketFacts } from './buckets/facts.ts'
import { storageErrors } from './contract.ts'
import type { Attributes, ObjectRow } from './objects/rows.ts'

/** Who asks for files: an app with or without its user, or one who is not asked of the rules. */
export interface Asker {
  caller: AppCaller | null
  /** The user whose file it becomes. */
  uid: string | null
  /** The console, an S3 key, an app's own server. */
  isTrusted: boolean
}

export const trusted: Asker = { caller: null, uid: null, isTrusted: true }

/** The app and its user, by the tokens of a request. Another project's bucket is none. */
export async function askerOf(ctx: Context, bucket: BucketFacts, headers: IncomingHttpHeaders): Promise<Asker> {
  const caller = await appCallerOf(ctx.server, headers)
  if (caller.projectId !== bucket.projectId) refuse(storageErrors.noBucket, { bucket: bucket.bucketId })
  return { caller, uid: caller.user?.uid ?? null, isTrusted: caller.isServer }
}

export interface Asked {
  method: RuleMethod
  /** Without the bucket; a listing names its prefix. */
  path: string
  resource?: ObjectRow | null
  requestResource?: Record<string, unknown> | null
  query?: Record<string, unknown>
}

/** Refuses 403 with the decision's id unless the published rules allow it; with none, whoever is signed in may. */
export async function assertAllowed(ctx: Context, bucket: BucketFacts, asker: Asker, asked: Asked): Promise<void> {
  if (asker.isTrusted) return
  const ruleset = await rulesOf(ctx, bucket)
  if (isAllowedNow(ctx, bucket, asker, ruleset, asked) || ruleset === null) return
  assertDecided(await decide(ctx.server, bucket, ruleset, requestOf(ctx, bucket, asker, asked)), asked)
}

/** The rules in force, from memory; null where none are. */
export function rulesOf(ctx: Context, { projectId, zone }: BucketFacts): Promise<Ruleset | null> {
  return publishedRules({ server: ctx.server, zone }, projectId, 'agc.cloud.storage')
}

/** Refuses likewise without waiting, for within a transaction; false where a rule looks something up first. */
export function isAllowedNow(
  ctx: Context,
  bucket: BucketFacts,
  asker: Asker,
  ruleset: Ruleset | null,
  asked: Asked,
): boolean {
  if (asker.isTrusted) return true
  if (ruleset === null) return asker.caller?.user ? true : refuse(storageErrors.rulesDenied, { method: asked.method })
  const decision = decideNow(ctx.server, bucket, ruleset, requestOf(ctx, bucket, asker, asked))
  if (decision === null) return false
  assertDecided(decision, asked)
  return true
}

/** Whether the rules allow a write whatever stands there now, so that nobody need look. */
export async function mayWriteUnseen(ctx: Context, bucket: BucketFacts, asker: Asker, asked: Asked): Promise<boolean> {
  const ruleset = await rulesOf(ctx, bucket)
  return ruleset !== null && grantsUnseen(ruleset, requestOf(ctx, bucket, asker, asked))
}

function assertDecided({ allowed, decisionId }: Decision, { method }: Asked): void {
  if (!allowed) refuse(storageErrors.rulesDenied, { method, decisionId })
}

function requestOf(ctx: Context, bucket: BucketFacts, { caller }: Asker, asked: Asked): RuleRequest {
  return {
    method: asked.method,
    path: [bucket.bucketId, ...asked.path.split('/').filter(segment => segment !== '')],
    auth: caller?.user
      ? {
          uid: caller.user.uid,
          provider: caller.user.provider,
          anonymous: caller.user.isAnonymous,
          token: caller.user.claims,
        }
      : null,
    app: caller?.appId ? { appId: caller.appId, packageName: null, attested: false } : null,
    ip: ctx.place.ip,
    time: ctx.now(),
    requestId: ctx.place.requestId,
    resource: asked.resource ? resourceOf(asked.resource) : null,
    ...(asked.requestResource === undefined ? {} : { requestResource: asked.requestResource }),
    ...(asked.query === undefined ? {} : { query: asked.query }),
  }
}

/** What rules see of a file that is there. */
export function resourceOf(row: ObjectRow): Record<string, unknown> {
  return {
    ...described(row.bucketId, row.path, row),
    size: row.sizeBytes,
    sha256: row.sha256,
    md5: row.md5,
    timeCreated: new Date(row.createdAt),
    updated: new Date(row.updatedAt),
    generation: row.generation,
    owner: row.ownerUid,
  }
}

/** What rules see of a file that is to be. */
export function comingOf(
  bucketId: string,
  path: string,
  coming: Attributes & { sizeBytes: number | null; sha256: string | null; md5?: string | null },
): Record<string, unknown> {
  return {
    ...described(bucketId, path, coming),
    size: coming.sizeBytes,
    sha256: coming.sha256,
    md5: coming.md5 ?? null,
  }
}

function described(bucket: string, path: string, of: Attributes): Record<string, unknown> {
  const { contentType, cacheControl, contentDisposition, contentEncoding, contentLanguage, metadata } = of
  return {
    name: path,
    bucket,
    contentType,
    cacheControl,
    contentDisposition,
    contentEncoding,
    contentLanguage,
    metadata,
  }
}
