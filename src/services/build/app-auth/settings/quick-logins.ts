import { and, asc, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { errors } from '../contract.ts'
import { projectHere } from '../product.ts'
import { quickLogins } from '../tables.ts'
import { checkAddress } from './product-handlers.ts'

interface Wanted {
  projectId: string
  carrier: string
  appId: string
  checkUrl: string
  enabled: boolean
  appKey?: string
  revision?: number
}

export async function quickLoginsOf(ctx: Context, projectId: string) {
  await projectHere(ctx, projectId)
  return ctx.db.select().from(quickLogins).where(eq(quickLogins.projectId, projectId)).orderBy(asc(quickLogins.carrier))
}

export async function setQuickLogin(ctx: Context, wanted: Wanted) {
  const { projectId, carrier, appId, checkUrl, enabled, appKey, revision } = wanted
  const { teamId } = await projectHere(ctx, projectId)
  checkAddress(ctx, '/checkUrl', checkUrl)
  const isThis = and(eq(quickLogins.projectId, projectId), eq(quickLogins.carrier, carrier))
  const [before] = await ctx.db.select().from(quickLogins).where(isThis).for('update')
  if (before && before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
  if (!before && revision !== undefined) refuse(commonErrors.notFound, { entity: 'carrier', id: carrier })
  // The key is meant for one address only.
  if (appKey === undefined && before?.checkUrl !== checkUrl) refuse(errors.secretNeeded)
  const place = `${projectId} ${carrier} ${checkUrl}`
  const sealedKey =
    appKey === undefined ? (before?.sealedKey ?? '') : ctx.server.masterKey.seal('app auth carrier', place, appKey)
  const change = { appId, checkUrl, enabled, sealedKey, updatedAt: ctx.now() }
  const [row] = await ctx.db
    .insert(quickLogins)
    .values({ projectId, carrier, teamId, ...change })
    .onConflictDoUpdate({
      target: [quickLogins.projectId, quickLogins.carrier],
      set: { ...change, revision: sql`${quickLogins.revision} + 1` },
    })
    .returning()
  ctx.audit({ action: 'appAuth.carrier', entity: 'project', entityId: projectId, after: { carrier, appId, enabled } })
  return row ?? refuse(commonErrors.internal)
}
