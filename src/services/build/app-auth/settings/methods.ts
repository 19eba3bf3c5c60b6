import { and, count, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { importSPKI } from 'jose'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { errors } from '../contract.ts'
import { type MethodRow, methodOf, projectHere } from '../product.ts'
import { configurationOf } from '../providers/openid.ts'
import { openSecret, secretPlace } from '../providers/prove.ts'
import { addressSettings, completeSettings, openidSettings } from '../providers/settings.ts'
import { providerKinds, providerNamed, providerNames, providerNumbers, settingNames } from '../rules.ts'
import { appUserIdentities, appUsers, authMethods } from '../tables.ts'
import { checkAddress } from './product-handlers.ts'

type Wanted = {
  projectId: string
  provider: number
  enabled: boolean
  config?: Record<string, string>
  secret?: string
  revision?: number
}

/** All ways in that there are, with how many users each has. */
export async function methodsOf(ctx: Context, projectId: string) {
  await projectHere(ctx, projectId)
  const rows = await ctx.db.select().from(authMethods).where(eq(authMethods.projectId, projectId))
  const users = await usersByProvider(ctx, projectId)
  return providerNames.map(name => {
    const provider = providerNumbers[name]
    return toMethod(rows.find(one => one.provider === provider) ?? null, provider, users.get(provider) ?? 0)
  })
}

function toMethod(row: MethodRow | null, provider: number, users: number) {
  const name = providerNamed(provider) ?? refuse(errors.methodUnknown, { provider })
  return {
    ...{ provider, name, users, kind: providerKinds[name] },
    enabled: row?.enabled ?? false,
    config: row?.config ?? {},
    hasSecret: row?.sealedSecret != null,
    revision: row?.revision ?? 0,
  }
}

/** How many users have each way in. */
export async function usersByProvider(ctx: Context, projectId: string): Promise<Map<number, number>> {
  const isOwn = and(eq(appUsers.projectId, projectId), ne(appUsers.state, 'DELETED'))
  const [own] = await ctx.db
    .select({
      email: count(appUsers.email),
      phone: count(appUsers.phone),
      anonymous: sql<number>`count(*) FILTER (WHERE ${appUsers.isAnonymous})::int`,
    })
    .from(appUsers)
    .where(isOwn)
  const linked = await ctx.db
    .select({ provider: appUserIdentities.provider, users: count() })
    .from(appUserIdentities)
    .where(and(eq(appUserIdentities.projectId, projectId), isNotNull(appUserIdentities.uid)))
    .groupBy(appUserIdentities.provider)
  return new Map([
    [providerNumbers.email, own?.email ?? 0],
    [providerNumbers.phone, own?.phone ?? 0],
    [providerNumbers.anonymous, own?.anonymous ?? 0],
    ...linked.map(one => [one.provider, one.users] as const),
  ])
}

/** Sets a way in. What it asks is looked at first: a provider that does not answer is told now, not to the first user. */
export async function setMethod(ctx: Context, wanted: Wanted) {
  const { projectId, provider, enabled } = wanted
  const name = providerNamed(provider) ?? refuse(errors.methodUnknown, { provider })
  const before = await ctx.transact(async inner => {
    await projectHere(inner, projectId)
    return methodOf(inner, projectId, provider)
  })
  assertRevision(before, wanted.revision)
  const config = wanted.config === undefined ? (before?.config ?? {}) : checkedConfig(ctx, wanted.config)
  const secret = wanted.secret ?? keptSecret(ctx, before, { projectId, provider }, config)
  if (enabled) await tryOut(ctx, name, config, secret)
  return ctx.transact(async inner => {
    const { teamId } = await projectHere(inner, projectId)
    const place = secretPlace({ projectId, provider }, config)
    const sealedSecret = secret === null ? null : inner.server.masterKey.seal('app auth method', place, secret)
    const now = inner.now()
    const [row] = await inner.db
      .insert(authMethods)
      .values({ projectId, provider, teamId, enabled, config, sealedSecret, updatedAt: now })
      .onConflictDoUpdate({
        target: [authMethods.projectId, authMethods.provider],
        set: { enabled, config, sealedSecret, updatedAt: now, revision: sql`${authMethods.revision} + 1` },
        setWhere: eq(authMethods.revision, before?.revision ?? 0),
      })
      .returning()
    if (!row) refuse(commonErrors.stale, { revision: before?.revision ?? 1 })
    const after = { provider: name, enabled, config }
    inner.audit({ action: 'appAuth.method', entity: 'project', entityId: projectId, after })
    return toMethod(row, provider, (await usersByProvider(inner, projectId)).get(provider) ?? 0)
  })
}

function assertRevision(before: MethodRow | null, revision: number | undefined): void {
  if (before && before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
}

function checkedConfig(ctx: Context, config: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(config)) {
    if (!settingNames.some(one => one === name))
      throw badField(`/config/${name}`, 'unknown', 'is no setting of a provider')
  }
  for (const name of settingNames) {
    const value = config[name]?.trim() ?? ''
    if (value === '') continue
    if (addressSettings.some(one => one === name)) checkAddress(ctx, `/config/${name}`, value)
    kept[name] = value
  }
  return kept
}

/** The secret that is kept stays for where it was meant; an address that changed needs it again. */
function keptSecret(
  ctx: Context,
  before: MethodRow | null,
  of: { projectId: string; provider: number },
  config: Readonly<Record<string, string>>,
): string | null {
  if (before?.sealedSecret == null) return null
  if (secretPlace(of, before.config) !== secretPlace(of, config)) refuse(errors.secretNeeded)
  return openSecret(ctx, before)
}

async function tryOut(
  ctx: Context,
  name: (typeof providerNames)[number],
  config: Record<string, string>,
  secret: string | null,
): Promise<void> {
  const all = completeSettings(name, config)
  if (providerKinds[name] === 'openid') await configurationOf(ctx, openidSettings(all, secret))
  if (providerKinds[name] !== 'key') return
  const isKey = await importSPKI(all['publicKey'] ?? '', 'RS256')
    .catch(() => importSPKI(all['publicKey'] ?? '', 'ES256'))
    .catch(() => importSPKI(all['publicKey'] ?? '', 'EdDSA'))
    .then(
      () => true,
      () => false,
    )
  if (!isKey) throw badField('/config/publicKey', 'pem', 'is a public key as PEM: BEGIN PUBLIC KEY')
}

export async function removeMethod(ctx: Context, projectId: string, provider: number) {
  await projectHere(ctx, projectId)
  await ctx.db.delete(authMethods).where(and(eq(authMethods.projectId, projectId), eq(authMethods.provider, provider)))
  ctx.audit({ action: 'appAuth.method_delete', entity: 'project', entityId: projectId, before: { provider } })
  return {}
}
