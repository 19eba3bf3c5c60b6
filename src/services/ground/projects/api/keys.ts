import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { loadForChange } from '../queries.ts'
import { projectApiKeys } from '../tables.home.ts'
import { dgsProjectApis } from './contract.ts'
import { keyLimits } from './rules.ts'

type KeyRow = typeof projectApiKeys.$inferSelect
const { errors } = dgsProjectApis

export const hashOfKey = (key: string) => createHash('sha256').update(key).digest('hex')

/** 256 random bits behind letters that secret scanners can look for. */
function newKey() {
  const apiKey = `lgk_${randomBytes(32).toString('base64url')}`
  return { apiKey, keyHash: hashOfKey(apiKey), prefix: apiKey.slice(0, 10) }
}

export function toKey(ctx: Context, row: KeyRow) {
  const isOver = row.expireAt !== null && row.expireAt <= ctx.now() && row.state !== 'REVOKED'
  const formerUntil = row.formerUntil !== null && row.formerUntil > ctx.now() ? row.formerUntil : null
  return { ...row, state: isOver ? ('EXPIRED' as const) : row.state, formerUntil }
}

export async function keysOf(ctx: Context, projectId: string): Promise<KeyRow[]> {
  return ctx.home
    .select()
    .from(projectApiKeys)
    .where(and(eq(projectApiKeys.projectId, projectId), eq(projectApiKeys.teamId, ctx.teamId)))
    .orderBy(asc(projectApiKeys.keyId))
}

/** Makes a key; the answer is the only place where it ever stands. */
export async function makeKey(
  ctx: Context,
  wanted: { projectId: string; name: string; apis?: string[]; packageNames?: string[]; lifeDays?: number },
) {
  const { projectId, name, apis = [], packageNames = [], lifeDays } = wanted
  await ctx.transaction('home').query('SELECT 1 FROM projects WHERE project_id = $1 FOR UPDATE', [projectId])
  const others = (await keysOf(ctx, projectId)).filter(row => row.state !== 'REVOKED')
  const limit = keyLimits.keysOfProject
  if (others.length >= limit) refuse(errors.tooManyKeys, { limit })
  if (others.some(row => row.name === name)) refuse(errors.keyNameTaken, { name })
  const { apiKey, ...made } = newKey()
  const now = ctx.now()
  const [row] = await ctx.home
    .insert(projectApiKeys)
    .values({
      keyId: ctx.newId(),
      projectId,
      teamId: ctx.teamId,
      name,
      ...made,
      apis,
      packageNames,
      state: 'ACTIVE',
      expireAt: lifeDays === undefined ? null : now + lifeDays * 86_400_000,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!row) throw new Error('no key was made')
  tell(ctx, 'project.key_created', row, {})
  return { ...toKey(ctx, row), apiKey }
}

type Action = 'enable' | 'disable' | 'rotate' | 'revoke'

/** Changes a key of the revision that was read; a rotation answers the new key. */
export async function changeKey(
  ctx: Context,
  wanted: {
    projectId: string
    keyId: string
    action?: Action
    name?: string
    apis?: string[]
    packageNames?: string[]
    revision: number
  },
) {
  const { projectId, keyId, action, name, apis, packageNames, revision } = wanted
  await loadForChange(ctx, projectId)
  const before = (await keysOf(ctx, projectId)).find(row => row.keyId === keyId)
  if (!before) refuse(commonErrors.notFound, { entity: 'key', id: keyId })
  if (before.state === 'REVOKED') refuse(errors.keyRevoked, { prefix: before.prefix })
  if (name !== undefined && (await isNameTaken(ctx, before, name))) refuse(errors.keyNameTaken, { name })
  const { apiKey, ...effect } = effectOf(ctx, before, action)
  const change = {
    ...effect,
    ...(name === undefined ? {} : { name }),
    ...(apis === undefined ? {} : { apis }),
    ...(packageNames === undefined ? {} : { packageNames }),
  }
  const [row] = await ctx.home
    .update(projectApiKeys)
    .set({ ...change, updatedAt: ctx.now(), revision: sql`${projectApiKeys.revision} + 1` })
    .where(and(eq(projectApiKeys.keyId, keyId), eq(projectApiKeys.revision, revision)))
    .returning()
  if (!row) refuse(commonErrors.stale, { revision: before.revision })
  tell(ctx, action === undefined ? 'project.key_changed' : `project.key_${pastOf[action]}`, row, {
    name,
    apis,
    packageNames,
  })
  return { ...toKey(ctx, row), apiKey: apiKey ?? null }
}

const pastOf = { enable: 'enabled', disable: 'disabled', rotate: 'rotated', revoke: 'revoked' } as const

function effectOf(ctx: Context, before: KeyRow, action: Action | undefined): Partial<KeyRow> & { apiKey?: string } {
  if (action === 'enable') return { state: 'ACTIVE' }
  if (action === 'disable') return { state: 'DISABLED' }
  if (action === 'revoke') return { state: 'REVOKED', formerHash: null, formerUntil: null }
  if (action === undefined) return {}
  return { ...newKey(), formerHash: before.keyHash, formerUntil: ctx.now() + keyLimits.graceMs }
}

async function isNameTaken(ctx: Context, { projectId, keyId }: KeyRow, name: string): Promise<boolean> {
  const rows = await ctx.home
    .select({ keyId: projectApiKeys.keyId })
    .from(projectApiKeys)
    .where(
      and(
        eq(projectApiKeys.projectId, projectId),
        eq(projectApiKeys.name, name),
        ne(projectApiKeys.keyId, keyId),
        ne(projectApiKeys.state, 'REVOKED'),
      ),
    )
  return rows.length > 0
}

function tell(ctx: Context, type: string, row: KeyRow, after: Record<string, unknown>): void {
  const { projectId, keyId, prefix } = row
  ctx.audit({ action: type, entity: 'apiKey', entityId: keyId, after: { projectId, prefix, ...after } }, 'home')
  ctx.emit({ type, entity: 'project', entityId: projectId, data: { keyId, prefix } }, 'home')
}
