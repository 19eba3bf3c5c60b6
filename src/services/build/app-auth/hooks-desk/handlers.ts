import { and, asc, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { errors } from '../contract.ts'
import { ask } from '../hooks.ts'
import { projectHere } from '../product.ts'
import { limits, providerNumbers } from '../rules.ts'
import { checkAddress, newHookSecret } from '../settings/product-handlers.ts'
import { authHooks } from '../tables.ts'
import { authHookCalls } from './contract.ts'

const sealed = (ctx: Context, hookId: string, secret: string) =>
  ctx.server.masterKey.seal('app auth hook', hookId, secret)

export default implement(authHookCalls, {
  listHooks: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    return { list: await hooksOf(ctx, query.projectId) }
  },

  createHook: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    checkAddress(ctx, '/url', body.url)
    await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(404, hashtext($1))', [projectId])
    if ((await hooksOf(ctx, projectId)).length >= limits.hooks) refuse(errors.tooManyHooks, { limit: limits.hooks })
    const hookId = ctx.newId()
    const secret = newHookSecret()
    const now = ctx.now()
    const { moment, url, timeoutMs, onFailure, enabled } = body
    const [hook] = await ctx.db
      .insert(authHooks)
      .values({
        ...{ hookId, projectId, teamId, moment, url, timeoutMs, onFailure, enabled },
        ...{ sealedSecret: sealed(ctx, hookId, secret), createdAt: now, updatedAt: now },
      })
      .returning()
    ctx.audit({
      action: 'appAuth.hook_create',
      entity: 'appAuthHook',
      entityId: hookId,
      after: { projectId, moment, url },
    })
    return { hook: hook ?? refuse(commonErrors.internal), secret }
  },

  updateHook: async (ctx, { body }) => {
    const { projectId, hookId, revision, moment, url, timeoutMs, onFailure, enabled } = body
    await projectHere(ctx, projectId)
    checkAddress(ctx, '/url', url)
    const before = await hookOf(ctx, projectId, hookId)
    // What is signed for one receiver is not signed for another.
    const secret = before.url === url ? null : newHookSecret()
    const [hook] = await ctx.db
      .update(authHooks)
      .set({
        ...{ moment, url, timeoutMs, onFailure, enabled, updatedAt: ctx.now() },
        ...(secret === null ? {} : { sealedSecret: sealed(ctx, hookId, secret) }),
        revision: sql`${authHooks.revision} + 1`,
      })
      .where(and(eq(authHooks.hookId, hookId), eq(authHooks.revision, revision)))
      .returning()
    if (!hook) refuse(commonErrors.stale, { revision: before.revision })
    ctx.audit({
      action: 'appAuth.hook_update',
      entity: 'appAuthHook',
      entityId: hookId,
      after: { moment, url, enabled },
    })
    return { hook, secret }
  },

  deleteHook: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    const { hookId, url } = await hookOf(ctx, query.projectId, query.hookId)
    await ctx.db.delete(authHooks).where(eq(authHooks.hookId, hookId))
    ctx.audit({ action: 'appAuth.hook_delete', entity: 'appAuthHook', entityId: hookId, before: { url } })
    return {}
  },

  testHook: async (ctx, { body }) => {
    const { projectId, hookId } = body
    const hook = await ctx.transact(async inner => {
      await projectHere(inner, projectId)
      return hookOf(inner, projectId, hookId)
    })
    const facts = { projectId, provider: providerNumbers.email, uid: null, email: 'test@example.com', phone: null }
    const { outcome, message } = await ask(ctx, hook, { ...facts, displayName: 'Test' })
    return { outcome, message }
  },
})

const hooksOf = (ctx: Context, projectId: string) =>
  ctx.db.select().from(authHooks).where(eq(authHooks.projectId, projectId)).orderBy(asc(authHooks.hookId))

async function hookOf(ctx: Context, projectId: string, hookId: string) {
  const [row] = await ctx.db
    .select()
    .from(authHooks)
    .where(and(eq(authHooks.hookId, hookId), eq(authHooks.projectId, projectId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'hook', id: hookId })
}
