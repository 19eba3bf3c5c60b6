import { randomBytes } from 'node:crypto'
import { and, count, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import { errors } from '../contract.ts'
import { redirectFault } from '../hosted/rules.ts'
import { dayOf } from '../messages.ts'
import { defaultHost, defaultSettings, type ProductRow, productRow, projectHere } from '../product.ts'
import { mailOf } from '../rules.ts'
import { type AuthSettings, authMessages, authProducts, type HostSettings, smsBlocks } from '../tables.ts'
import { issuerOf } from '../tokens.ts'

const dayMs = 86_400_000

export function toProduct(ctx: Context, projectId: string, row: ProductRow | null) {
  const settings = { ...defaultSettings, ...row?.settings }
  const hasSmsSecret = row?.sealedSmsSecret != null
  return {
    projectId,
    ...settings,
    hasSmsSecret,
    isSmsDelivered: settings.smsEngine === 'webhook' && hasSmsSecret && settings.smsWebhookUrl !== '',
    keySetUrl: `${ctx.server.config.publicUrl}/${zones[ctx.zone].slug}/app-auth/.well-known/jwks.json`,
    issuer: issuerOf(ctx.server, ctx.zone),
    revision: row?.revision ?? 0,
  }
}

/** Refuses an address that can be seen to be none that may be asked. */
export function checkAddress(ctx: Context, pointer: string, address: string): void {
  try {
    const url = ctx.server.outbound.check(address)
    const isNamed = ctx.server.config.outboundAllow.includes(url.host)
    if (url.protocol !== 'https:' && !isNamed) throw badField(pointer, 'https', 'is an https address')
  } catch (error) {
    if (error instanceof OutsideError) throw badField(pointer, 'address', error.message)
    throw error
  }
}

type Sent = AuthSettings & { projectId: string; newSmsSecret?: boolean; revision?: number }

export async function putProduct(ctx: Context, sent: Sent) {
  const { projectId, newSmsSecret = false, revision, ...wanted } = sent
  const project = await projectHere(ctx, projectId)
  const origins = wanted.allowedOrigins.map(originOf)
  const settings: AuthSettings = { ...wanted, allowedOrigins: origins }
  if (settings.smsEngine === 'webhook') checkAddress(ctx, '/smsWebhookUrl', settings.smsWebhookUrl)
  const before = await lockedRow(ctx, projectId)
  assertRevision(before, revision)
  // A secret is meant for one address; with another one it is made anew.
  const isMoved = settings.smsEngine === 'webhook' && before?.settings.smsWebhookUrl !== settings.smsWebhookUrl
  const smsSecret = newSmsSecret || isMoved ? newHookSecret() : null
  const sealedSmsSecret =
    smsSecret === null
      ? (before?.sealedSmsSecret ?? null)
      : ctx.server.masterKey.seal('app auth sms', projectId, smsSecret)
  const row = await writeRow(ctx, project, { settings, sealedSmsSecret })
  ctx.audit({
    action: 'appAuth.settings',
    entity: 'project',
    entityId: projectId,
    before: { ...before?.settings },
    after: { ...settings },
  })
  return { product: toProduct(ctx, projectId, row), smsSecret }
}

export const newHookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

function originOf(origin: string): string {
  const plain = URL.canParse(origin) ? new URL(origin) : null
  const isWeb = plain?.protocol === 'https:' || plain?.protocol === 'http:'
  return isWeb && plain.origin === origin ? origin : refuse(errors.originInvalid, { origin })
}

async function lockedRow(ctx: Context, projectId: string): Promise<ProductRow | null> {
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(402, hashtext($1))', [projectId])
  return productRow(ctx, projectId)
}

function assertRevision(before: ProductRow | null, revision: number | undefined): void {
  if (before && before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
}

async function writeRow(
  ctx: Context,
  { projectId, teamId }: { projectId: string; teamId: string },
  change: Partial<Pick<ProductRow, 'settings' | 'host' | 'sealedSmsSecret'>>,
): Promise<ProductRow> {
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(authProducts)
    .values({ settings: defaultSettings, ...change, projectId, teamId, updatedAt: now })
    .onConflictDoUpdate({
      target: authProducts.projectId,
      set: { ...change, updatedAt: now, revision: sql`${authProducts.revision} + 1` },
    })
    .returning()
  if (!row) throw new Error('no settings came back')
  return row
}

export async function getHost(ctx: Context, projectId: string) {
  await projectHere(ctx, projectId)
  const row = await productRow(ctx, projectId)
  const issuer = issuerOf(ctx.server, ctx.zone)
  return { projectId, ...defaultHost, ...row?.host, issuer, revision: row?.revision ?? 0 }
}

type SentHost = Omit<HostSettings, 'redirectUris'> & { redirectUris?: string[]; projectId: string; revision?: number }

export async function putHost(ctx: Context, sent: SentHost) {
  const { projectId, revision, redirectUris, ...branding } = sent
  const project = await projectHere(ctx, projectId)
  for (const name of ['logoUrl', 'termsUrl', 'privacyUrl'] as const) {
    const address = branding[name]
    if (address !== '' && !(address.startsWith('https://') && URL.canParse(address)))
      throw badField(`/${name}`, 'https', 'is an https address')
  }
  for (const [at, address] of (redirectUris ?? []).entries()) {
    const fault = redirectFault(address)
    if (fault !== null) throw badField(`/redirectUris/${at}`, 'redirect', fault)
  }
  if (branding.supportMail !== '' && mailOf(branding.supportMail) === null) refuse(errors.mailInvalid)
  const before = await lockedRow(ctx, projectId)
  assertRevision(before, revision)
  const host = { ...branding, redirectUris: redirectUris ?? before?.host?.redirectUris ?? [] }
  const row = await writeRow(ctx, project, { host })
  ctx.audit({ action: 'appAuth.host', entity: 'project', entityId: projectId, after: { ...host } })
  return { projectId, ...host, issuer: issuerOf(ctx.server, ctx.zone), revision: row.revision }
}

/** Text messages by day and country, of the last thirty days unless said. */
export async function smsUsage(ctx: Context, sent: { projectId: string; from?: string; to?: string }) {
  const { projectId } = sent
  await projectHere(ctx, projectId)
  const now = ctx.now()
  const { from = dayOf(now - 29 * dayMs), to = dayOf(now) } = sent
  const ofState = (state: string) => sql<number>`count(*) FILTER (WHERE ${authMessages.state} = ${state})::int`
  const { day, country } = authMessages
  const list = await ctx.db
    .select({
      date: day,
      country,
      sent: ofState('SENT'),
      kept: ofState('KEPT'),
      failed: ofState('FAILED'),
      used: sql<number>`count(${authMessages.usedAt})::int`,
    })
    .from(authMessages)
    .where(and(eq(authMessages.projectId, projectId), gte(day, from), lte(day, to)))
    .groupBy(day, country)
    .orderBy(day, country)
    .limit(10_000)
  const blocked = await ctx.db
    .select({ country: smsBlocks.country, until: smsBlocks.until })
    .from(smsBlocks)
    .where(and(eq(smsBlocks.projectId, projectId), gt(smsBlocks.until, now)))
  const [today] = await ctx.db
    .select({ all: count() })
    .from(authMessages)
    .where(and(eq(authMessages.projectId, projectId), eq(day, dayOf(now))))
  const { smsPerDay } = { ...defaultSettings, ...(await productRow(ctx, projectId))?.settings }
  return { list, from, to, blocked, today: today?.all ?? 0, perDay: smsPerDay }
}

interface MessagesWanted {
  projectId: string
  state?: 'QUEUED' | 'KEPT' | 'SENT' | 'FAILED'
  cursor?: string
  pageSize?: number
}

export async function listMessages(ctx: Context, { projectId, state, cursor, pageSize = 20 }: MessagesWanted) {
  await projectHere(ctx, projectId)
  const matches = and(eq(authMessages.projectId, projectId), state && eq(authMessages.state, state))
  const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
  const rows = await ctx.db
    .select()
    .from(authMessages)
    .where(and(matches, isCursor ? lt(authMessages.messageId, cursor) : undefined))
    .orderBy(desc(authMessages.messageId))
    .limit(pageSize + 1)
  const list = rows.slice(0, pageSize)
  return {
    total: await ctx.db.$count(authMessages, matches),
    list: list.map(row => ({
      ...row,
      text: ctx.server.masterKey.open('app auth message', row.messageId, row.sealedText),
    })),
    nextCursor: rows.length > pageSize ? (list.at(-1)?.messageId ?? null) : null,
  }
}
