import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { preloadErrors as errors } from '../contract.ts'
import { counterOf } from '../counting.ts'
import type { PolicyRow } from '../fetching.ts'
import { register } from '../registering.ts'
import { type Asked, type Kind, missingIn } from '../rules.ts'
import { serve } from '../serving.ts'
import { preloadPolicies as policies } from '../tables.ts'
import { preloadData } from './contract.ts'

/** The policy that answers devices of an app now. Refuses 404, also where it is switched off. */
async function policyFor(outer: Context, appId: string, kind: Kind): Promise<PolicyRow> {
  const ctx = systemContext(outer.server, outer.zone, { name: 'preload' })
  const isIt = and(eq(policies.appId, appId), eq(policies.kind, kind), eq(policies.isEnabled, true))
  const [row] = await ctx.transact(inner => inner.db.select().from(policies).where(isIt))
  return row ?? refuse(errors.noPolicy)
}

export default implement(preloadData, {
  fetchPreload: async (ctx, { params: { appId, kind }, query, request }): Promise<Download> => {
    const { server, zone } = ctx
    const policy = await policyFor(ctx, appId, kind)
    const asked: Asked = query
    const missing = missingIn(kind, asked)
    if (missing !== null) throw badField(`/${missing}`, 'required', `is needed for ${kind}`, 'query')
    const startedAt = performance.now()
    const count = (outcome: 'HIT' | 'STALE' | 'MISS' | 'ERROR', bytes: number) =>
      counterOf(server).add(zone, policy, { outcome, ms: performance.now() - startedAt, bytes })
    try {
      const { kept, outcome } = await serve(server, zone, policy, asked)
      const { body, contentType, etag, freshUntil } = kept
      const maxAge = Math.max(0, Math.floor((freshUntil - server.clock.now()) / 1000))
      const headers = {
        ...{ etag, 'x-preload': outcome, 'x-content-type-options': 'nosniff' },
        'cache-control': `private, max-age=${maxAge}`,
      }
      const isKnown = request.headers['if-none-match'] === etag
      count(outcome, isKnown ? 0 : Buffer.byteLength(body))
      if (isKnown) return { status: 304, headers, body: null }
      return { status: 200, headers: { ...headers, 'content-type': contentType }, body }
    } catch (error) {
      count('ERROR', 0)
      throw error
    }
  },

  registerPreload: async (ctx, { params, body }) => {
    const policy = await policyFor(ctx, params.appId, 'PERIODIC')
    return register(ctx.server, ctx.zone, policy, body)
  },
})
