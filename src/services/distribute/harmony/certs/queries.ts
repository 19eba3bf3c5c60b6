import { and, desc, eq, exists, ilike, inArray, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { appInScope, appOf, appsOf } from '../../apps/public.ts'
import { type CertState, certCycle } from '../rules.ts'
import { certs, profiles } from '../tables.ts'
import type { CertView } from './contract.ts'

export type CertRecord = typeof certs.$inferSelect

/** Refuses 404 for another team's. */
export async function loadCert(ctx: Context, certId: string, lock?: 'update'): Promise<CertRecord> {
  const query = ctx.db
    .select()
    .from(certs)
    .where(and(eq(certs.certId, certId), eq(certs.teamId, ctx.teamId)))
  const [row] = await (lock ? query.for(lock) : query)
  return row ?? refuse(commonErrors.notFound, { entity: 'certificate', id: certId })
}

interface Wish {
  certId?: string
  appId?: string
  certType?: number
  state?: CertState
  search?: string
  cursor?: string
  pageSize?: number
}

export async function pageOfCerts(ctx: Context, wish: Wish) {
  if (wish.appId !== undefined) await appOf(ctx, wish.appId)
  const ofApp =
    wish.appId === undefined
      ? undefined
      : exists(
          ctx.db
            .select({ one: sql`1` })
            .from(profiles)
            .where(and(eq(profiles.certId, certs.certId), eq(profiles.appId, wish.appId))),
        )
  const matching = and(
    eq(certs.teamId, ctx.teamId),
    ofApp,
    wish.certId === undefined ? undefined : eq(certs.certId, wish.certId),
    wish.certType === undefined ? undefined : eq(certs.type, wish.certType),
    wish.state === undefined ? undefined : eq(certs.state, wish.state),
    wish.search ? ilike(certs.name, `%${wish.search.trim().replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const pageSize = wish.pageSize ?? 20
  const isCursor = /^[0-9]{1,18}$/.test(wish.cursor ?? '')
  const rows = await ctx.db
    .select()
    .from(certs)
    .where(and(matching, isCursor ? lt(certs.certId, wish.cursor as string) : undefined))
    .orderBy(desc(certs.certId))
    .limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(certs, matching),
    list: await toCerts(ctx, page),
    nextCursor: rows.length > pageSize ? (page.at(-1)?.certId ?? null) : null,
  }
}

/** Certificates with who uses them, as far as the caller reaches their apps; two queries, however many. */
export async function toCerts(ctx: Context, rows: readonly CertRecord[]): Promise<CertView[]> {
  const users = await usersOf(ctx, rows)
  return rows.map(row => {
    const usedByProfiles = users.filter(one => one.certId === row.certId).map(({ certId: _, ...user }) => user)
    const facts = { isOffShelf: usedByProfiles.every(one => !one.isOnShelf) }
    const { certId, state, subject, serial, sha256, csrSha256, revision } = row
    const allowed = allowedActions(certCycle, state, permission => ctx.may(permission), facts)
    return {
      ...{ certId, state, subject, serial, sha256, csrSha256, revision, usedByProfiles },
      certName: row.name,
      certType: row.type,
      createTime: row.createdAt,
      expireTime: row.expireAt,
      revokeTime: row.revokedAt,
      // Force is for where nothing else is left.
      allowedActions: allowed.filter(action => action === 'revoke' || !facts.isOffShelf) as CertView['allowedActions'],
    }
  })
}

async function usersOf(ctx: Context, rows: readonly CertRecord[]) {
  if (rows.length === 0) return []
  const found = await ctx.db
    .select({
      id: profiles.profileId,
      certId: profiles.certId,
      provisionName: profiles.name,
      appId: profiles.appId,
    })
    .from(profiles)
    .where(
      and(
        inArray(
          profiles.certId,
          rows.map(row => row.certId),
        ),
        eq(profiles.teamId, ctx.teamId),
        appInScope(ctx, profiles.appId),
      ),
    )
    .orderBy(desc(profiles.profileId))
  const apps = await appsOf(
    ctx,
    found.map(one => one.appId),
  )
  const byId = new Map(apps.map(app => [app.appId, app]))
  const digests = new Map(rows.map(row => [row.certId, row.sha256]))
  return found.map(one => {
    const app = byId.get(one.appId)
    const isOnShelf = app?.shelf?.signers.includes(digests.get(one.certId) ?? '') ?? false
    return { ...one, appName: app?.name ?? one.appId, isOnShelf }
  })
}
