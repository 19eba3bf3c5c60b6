import { randomBytes } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { loadBucket, openedService, projectHere } from '../buckets/rows.ts'
import { storageErrors } from '../contract.ts'
import { limits } from '../rules.ts'
import { accessKeys } from '../tables.home.ts'
import { storageKeys } from './contract.ts'
import { keySignal, sealSecret } from './secrets.ts'

const dayMs = 24 * 3_600_000
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const newKeyId = () => `LOG${Array.from(randomBytes(17), byte => letters[byte % 32]).join('')}`

function shown(row: typeof accessKeys.$inferSelect) {
  const { accessKeyId, name, isReadOnly, services, bucketId, expiresAt, lastUsedAt, createdBy, createdAt } = row
  return { accessKeyId, name, isReadOnly, services, bucketId, expiresAt, lastUsedAt, createdBy, createdAt }
}

/** Nobody gives a key what he may not do himself, and a key of one bucket is for nothing else. */
function assertMayGive(ctx: Context, isReadOnly: boolean, bucketId: string | undefined): void {
  const permission = isReadOnly ? 'functions.read' : 'functions.edit'
  if (!ctx.may(permission)) refuse(commonErrors.notAllowed, { permission })
  if (bucketId !== undefined) throw badField('/bucketId', 'services', 'a key of one bucket is for storage alone')
}

export default implement(storageKeys, {
  listKeys: async (ctx, { body: { projectId } }) => {
    await projectHere(ctx, projectId)
    const rows = await ctx.home
      .select()
      .from(accessKeys)
      .where(and(eq(accessKeys.projectId, projectId), eq(accessKeys.teamId, ctx.teamId)))
      .orderBy(desc(accessKeys.createdAt), desc(accessKeys.accessKeyId))
    const { s3Url, publicUrl } = ctx.server.config
    return { total: rows.length, list: rows.map(shown), nextCursor: null, endpoint: s3Url ?? `${publicUrl}/s3` }
  },

  createKey: async (ctx, { body }) => {
    const { projectId, name, isReadOnly = false, services = ['storage'], bucketId, expireDays } = body
    await projectHere(ctx, projectId)
    if (services.includes('storage')) await openedService(ctx, projectId)
    if (services.includes('functions')) assertMayGive(ctx, isReadOnly, bucketId)
    if (bucketId !== undefined && (await loadBucket(ctx, bucketId)).projectId !== projectId)
      refuse(commonErrors.notFound, { entity: 'bucket', id: bucketId })
    const there = await ctx.home.$count(accessKeys, eq(accessKeys.projectId, projectId))
    if (there >= limits.keysOfProject) refuse(storageErrors.tooManyKeys, { limit: limits.keysOfProject })
    const accessKeyId = newKeyId()
    const secretAccessKey = randomBytes(30).toString('base64url')
    const now = ctx.now()
    const [row] = await ctx.home
      .insert(accessKeys)
      .values({
        accessKeyId,
        teamId: ctx.teamId,
        projectId,
        zone: ctx.zone,
        name,
        sealedSecret: sealSecret(ctx.server, accessKeyId, secretAccessKey),
        isReadOnly,
        services,
        bucketId: bucketId ?? null,
        expiresAt: expireDays === undefined ? null : now + expireDays * dayMs,
        createdBy: ctx.accountId,
        createdAt: now,
      })
      .returning()
    const after = { projectId, name, isReadOnly, services, bucketId: bucketId ?? null }
    ctx.audit({ action: 'storage.key.create', entity: 'accessKey', entityId: accessKeyId, after }, 'home')
    return { key: shown(row as NonNullable<typeof row>), secretAccessKey }
  },

  deleteKey: async (ctx, { body: { projectId, accessKeyId } }) => {
    await projectHere(ctx, projectId)
    const [row] = await ctx.home
      .delete(accessKeys)
      .where(
        and(
          eq(accessKeys.accessKeyId, accessKeyId),
          eq(accessKeys.projectId, projectId),
          eq(accessKeys.teamId, ctx.teamId),
        ),
      )
      .returning()
    if (!row) refuse(commonErrors.notFound, { entity: 'access key', id: accessKeyId })
    const before = { projectId, name: row.name }
    ctx.audit({ action: 'storage.key.delete', entity: 'accessKey', entityId: accessKeyId, before }, 'home')
    ctx.signal('home', keySignal, accessKeyId)
    return {}
  },
})
