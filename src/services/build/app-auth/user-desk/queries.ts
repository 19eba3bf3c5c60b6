import { and, count, desc, eq, gte, inArray, isNull, like, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { dayOf } from '../messages.ts'
import { mailOf, phoneOf, providerNumbers } from '../rules.ts'
import type { UserRow } from '../sessions.ts'
import { usersByProvider } from '../settings/methods.ts'
import { appUserDays, appUserIdentities, appUserSessions, appUsers } from '../tables.ts'
import { hasPassword, type IdentityRow, identitiesOf, userOf } from '../users.ts'

const dayMs = 86_400_000
const sessionsShown = 50

export interface Wanted {
  projectId: string
  query?: string
  provider?: number
  state?: 'ACTIVE' | 'DISABLED'
  cursor?: string
  pageSize?: number
}

export function toView(user: UserRow, identities: readonly IdentityRow[]) {
  const providers = [
    ...(user.isAnonymous ? [providerNumbers.anonymous] : []),
    ...(user.email === null ? [] : [providerNumbers.email]),
    ...(user.phone === null ? [] : [providerNumbers.phone]),
    ...identities.map(one => one.provider),
  ]
  const state = user.state === 'DISABLED' ? ('DISABLED' as const) : ('ACTIVE' as const)
  return { ...user, state, providers, hasPassword: hasPassword(user) }
}

export async function toViews(ctx: Context, rows: readonly UserRow[]) {
  const identities = await identitiesOf(
    ctx,
    rows.map(row => row.uid),
  )
  return rows.map(row => toView(row, identities.get(row.uid) ?? []))
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function matching({ projectId, query, provider, state }: Wanted): SQL | undefined {
  const text = query?.trim() ?? ''
  const lower = text.normalize('NFKC').toLowerCase()
  const found =
    text === ''
      ? undefined
      : or(
          /^[1-9][0-9]{0,18}$/.test(text) ? eq(appUsers.uid, text) : undefined,
          like(appUsers.email, `${escaped(lower)}%`),
          like(appUsers.phone, `${escaped(text)}%`),
          sql`lower(${appUsers.displayName}) LIKE ${`${escaped(lower)}%`}`,
          eq(appUsers.importUid, text),
        )
  return and(
    eq(appUsers.projectId, projectId),
    state ? eq(appUsers.state, state) : ne(appUsers.state, 'DELETED'),
    provider === undefined ? undefined : byProvider(provider),
    found,
  )
}

function byProvider(provider: number): SQL | undefined {
  if (provider === providerNumbers.anonymous) return eq(appUsers.isAnonymous, true)
  if (provider === providerNumbers.email) return sql`${appUsers.email} IS NOT NULL`
  if (provider === providerNumbers.phone) return sql`${appUsers.phone} IS NOT NULL`
  return sql`EXISTS (SELECT 1 FROM ${appUserIdentities} i WHERE i.uid = ${appUsers.uid} AND i.provider = ${provider})`
}

export async function pageOfUsers(ctx: Context, wanted: Wanted) {
  const { cursor, pageSize = 20 } = wanted
  const matches = matching(wanted)
  const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
  const rows = await ctx.db
    .select()
    .from(appUsers)
    .where(and(matches, isCursor ? lt(appUsers.uid, cursor) : undefined))
    .orderBy(desc(appUsers.uid))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(appUsers, matches),
    list: await toViews(ctx, list),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.uid ?? null) : null,
  }
}

export async function usersNamed(
  ctx: Context,
  { projectId, uids, email, phone }: { projectId: string; uids?: string; email?: string; phone?: string },
) {
  const ids = (uids ?? '')
    .split(',')
    .filter(one => /^[1-9][0-9]{0,18}$/.test(one))
    .slice(0, 100)
  const mail = email === undefined ? null : mailOf(email)
  const number = phone === undefined ? null : phoneOf(phone)
  const named = [
    ...(ids.length > 0 ? [inArray(appUsers.uid, ids)] : []),
    ...(mail === null ? [] : [eq(appUsers.email, mail)]),
    ...(number === null ? [] : [eq(appUsers.phone, number)]),
  ]
  if (named.length === 0) return []
  const rows = await ctx.db
    .select()
    .from(appUsers)
    .where(and(eq(appUsers.projectId, projectId), ne(appUsers.state, 'DELETED'), or(...named)))
    .limit(100)
  return toViews(ctx, rows)
}

export async function wholeUser(ctx: Context, projectId: string, uid: string) {
  const user = await userOf(ctx, projectId, uid)
  const identities = (await identitiesOf(ctx, [uid])).get(uid) ?? []
  const sessions = await ctx.db
    .select()
    .from(appUserSessions)
    .where(eq(appUserSessions.uid, uid))
    .orderBy(desc(isNull(appUserSessions.endedAt)), desc(appUserSessions.familyId))
    .limit(sessionsShown)
  return { user: toView(user, identities), claims: user.claims, identities, sessions }
}

/** How many users there are, came and were active. */
export async function summaryOf(ctx: Context, projectId: string, days: number) {
  const now = ctx.now()
  const today = dayOf(now)
  const firstDay = dayOf(now - (days - 1) * dayMs)
  const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
  const isOwn = and(eq(appUsers.projectId, projectId), ne(appUsers.state, 'DELETED'))
  const [sums] = await ctx.db
    .select({
      total: count(),
      newToday: sql<number>`count(*) FILTER (WHERE ${appUsers.createdAt} >= ${startOf(today)})::int`,
      disabled: sql<number>`count(*) FILTER (WHERE ${appUsers.state} = 'DISABLED')::int`,
      anonymous: sql<number>`count(*) FILTER (WHERE ${appUsers.isAnonymous})::int`,
    })
    .from(appUsers)
    .where(isOwn)
  const made = await ctx.db
    .select({
      date: sql<string>`to_char(to_timestamp(${appUsers.createdAt} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
      users: count(),
    })
    .from(appUsers)
    .where(and(isOwn, gte(appUsers.createdAt, startOf(firstDay))))
    .groupBy(sql`1`)
  const active = await ctx.db
    .select({ date: appUserDays.day, users: count() })
    .from(appUserDays)
    .where(and(eq(appUserDays.projectId, projectId), gte(appUserDays.day, firstDay)))
    .groupBy(appUserDays.day)
  const { rows } = await ctx.transaction(ctx.zone).query<{ users: number }>({
    name: 'app users of month',
    text: 'SELECT count(DISTINCT uid)::int AS users FROM app_user_days WHERE project_id = $1 AND day >= $2',
    values: [projectId, dayOf(now - 29 * dayMs)],
  })
  const of = (list: { date: string; users: number }[], date: string) => list.find(one => one.date === date)?.users ?? 0
  const byDay = Array.from({ length: days }, (_none, at) => dayOf(startOf(firstDay) + at * dayMs)).map(date => ({
    date,
    made: of(made, date),
    active: of(active, date),
  }))
  const byProvider = [...(await usersByProvider(ctx, projectId))].map(([provider, users]) => ({ provider, users }))
  const { total = 0, newToday = 0, disabled = 0, anonymous = 0 } = sums ?? {}
  return { total, newToday, disabled, anonymous, dau: of(active, today), mau: rows[0]?.users ?? 0, byProvider, byDay }
}
