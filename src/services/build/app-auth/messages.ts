import { and, count, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { errors } from './contract.ts'
import { outboxEngine } from './engine/sms/outbox.ts'
import type { SmsEngine } from './engine/sms/port.ts'
import { webhookEngine } from './engine/sms/webhook.ts'
import { mailPage } from './mail-page.ts'
import { defaultHost, defaultSettings, productRow } from './product.ts'
import { callingCodeOf, filled, isPumped, limits, type TemplateKind, type TemplateLanguage } from './rules.ts'
import { type AuthSettings, authMessages, authTemplates, smsBlocks } from './tables.ts'
import { defaultTemplates, type TemplateText } from './templates.data.ts'

export const mailJob = 'appAuth.mail'
export const messageJob = 'appAuth.message'
const jobMs = 10 * 60_000
const hourMs = 3_600_000
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

interface CodeMessage {
  projectId: string
  teamId: string
  codeId: string
  code: string
  language: TemplateLanguage
  /** Nobody is meant: the same work, and nothing goes out. */
  isMeant: boolean
  /** Where the code can be used with a click; the code is put behind it. */
  link?: string | undefined
}

/** Has a mail with a code sent; the code stands sealed in the job. */
export async function queueCodeMail(
  ctx: Context,
  wanted: CodeMessage & { to: string; kind: 'RESET' | 'VERIFY_EMAIL' },
) {
  const { codeId, code, ...input } = wanted
  const sealed = ctx.server.masterKey.seal('app auth mail', codeId, code)
  ctx.startJob({ kind: mailJob, subject: codeId, deadlineMs: jobMs, input: { ...input, codeId, sealed } })
}

/** Has a mail sent that welcomes a new user. */
export function queueWelcome(ctx: Context, wanted: { projectId: string; uid: string; to: string; name: string }): void {
  const input = { ...wanted, kind: 'WELCOME', language: 'en', isMeant: true }
  ctx.startJob({ kind: mailJob, subject: wanted.uid, deadlineMs: 24 * hourMs, input })
}

export async function queueCodeMessage(
  ctx: Context,
  wanted: CodeMessage & { phone: string; settings: AuthSettings },
): Promise<void> {
  const { projectId, phone, settings } = wanted
  await assertCountry(ctx, projectId, phone, settings)
  const { text } = await writtenText(ctx, projectId, 'SMS_CODE', wanted.language, { code: wanted.code })
  await queueMessage(ctx, { ...wanted, text, isTest: false })
}

/** Keeps a text message and has it sent. Answers its id. */
export async function queueMessage(
  ctx: Context,
  wanted: {
    projectId: string
    teamId: string
    phone: string
    text: string
    isTest: boolean
    isMeant: boolean
    codeId?: string
  },
): Promise<string> {
  const { projectId, teamId, phone, text, isTest, isMeant, codeId } = wanted
  const messageId = ctx.newId()
  await ctx.db.insert(authMessages).values({
    ...{ messageId, projectId, teamId, phone, isTest },
    country: callingCodeOf(phone),
    day: dayOf(ctx.now()),
    sealedText: ctx.server.masterKey.seal('app auth message', messageId, text),
    state: isMeant ? 'QUEUED' : 'FAILED',
    reason: isMeant ? null : 'no user has this number',
    codeId: codeId ?? null,
    createdAt: ctx.now(),
  })
  ctx.startJob({ kind: messageJob, subject: messageId, deadlineMs: jobMs, input: { messageId, projectId } })
  return messageId
}

/** Refuses a country that the project does not send to, one that is being pumped, and what is above the day's cap. */
export async function assertCountry(
  ctx: Context,
  projectId: string,
  phone: string,
  { smsCountries, smsPerDay }: AuthSettings,
): Promise<void> {
  const country = callingCodeOf(phone)
  const { mode, list } = smsCountries
  if ((mode === 'ALLOW' && !list.includes(country)) || (mode === 'DENY' && list.includes(country)))
    refuse(errors.countryRefused, { country })
  const now = ctx.now()
  const [block] = await ctx.db
    .select({ until: smsBlocks.until })
    .from(smsBlocks)
    .where(and(eq(smsBlocks.projectId, projectId), eq(smsBlocks.country, country), gt(smsBlocks.until, now)))
  if (block) refuse(errors.smsQuota, { country, retryAfterSeconds: Math.ceil((block.until - now) / 1000) })
  const isToday = and(eq(authMessages.projectId, projectId), eq(authMessages.day, dayOf(now)))
  if ((await ctx.db.$count(authMessages, isToday)) >= smsPerDay) refuse(errors.smsQuota, { country })
  const recent = and(
    eq(authMessages.projectId, projectId),
    eq(authMessages.country, country),
    gt(authMessages.createdAt, now - hourMs),
    eq(authMessages.isTest, false),
    isNotNull(authMessages.codeId),
  )
  const [sums] = await ctx.db
    .select({ sent: count(), used: sql<number>`count(${authMessages.usedAt})::int` })
    .from(authMessages)
    .where(recent)
  if (!sums || !isPumped(sums.sent, sums.used)) return
  await blockCountry(ctx, projectId, country)
}

/** The block is kept though the call is refused, so it stands in a transaction of its own. */
async function blockCountry(ctx: Context, projectId: string, country: string): Promise<never> {
  const until = ctx.now() + limits.pumpingBlockMs
  await ctx.transact(async inner => {
    await inner.db
      .insert(smsBlocks)
      .values({ projectId, country, teamId: inner.teamId, until })
      .onConflictDoUpdate({ target: [smsBlocks.projectId, smsBlocks.country], set: { until } })
    inner.audit({ action: 'appAuth.sms_block', entity: 'project', entityId: projectId, after: { country, until } })
    const data = { projectId, country, until }
    inner.emit({ type: 'app_auth.sms_pumping', entity: 'project', entityId: projectId, data })
  })
  return refuse(errors.smsQuota, { country, retryAfterSeconds: limits.pumpingBlockMs / 1000 })
}

/** A template of the project, or the default, with its words filled in. */
export async function writtenText(
  ctx: Context,
  projectId: string,
  kind: TemplateKind,
  language: TemplateLanguage,
  values: Readonly<Record<string, string>>,
  draft?: TemplateText,
): Promise<{ subject: string; text: string; html: string }> {
  const [own] = await ctx.db
    .select()
    .from(authTemplates)
    .where(
      and(eq(authTemplates.projectId, projectId), eq(authTemplates.kind, kind), eq(authTemplates.language, language)),
    )
  const { subject, body } = draft ?? own ?? defaultTemplates[kind][language]
  const host = { ...defaultHost, ...(await productRow(ctx, projectId))?.host }
  const all = {
    app: host.appName || 'App',
    support: host.supportMail || host.appName || 'App',
    minutes: String(limits.codeMs / 60_000),
    name: '',
    ...values,
  }
  const line = filled(subject, all)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, 200)
  const text = filled(body, all)
  const { link = '' } = values
  const withLink = link === '' ? text : `${text}\n\n${link}`
  return { subject: line, text: withLink, html: mailPage(host, text, link) }
}

export async function runMailJob(ctx: Context, { input }: JobRun): Promise<void> {
  const { projectId, kind, language, codeId, sealed, to, isMeant, name, link } = input as Record<string, string>
  if (!isMeant || !projectId || !to) return
  const values: Record<string, string> = { name: name ?? '' }
  if (codeId && sealed) values['code'] = ctx.server.masterKey.open('app auth mail', codeId, sealed)
  if (link) values['link'] = `${link}${values['code'] ?? ''}`
  const { subject, text, html } = await ctx.transact(inner =>
    writtenText(inner, projectId, kind as TemplateKind, language as TemplateLanguage, values),
  )
  await ctx.server.mail.send({ to, subject, text, html, ...(codeId ? { id: `appauth-${codeId}` } : {}) })
}

export async function runMessageJob(ctx: Context, { input }: JobRun): Promise<void> {
  const messageId = String(input['messageId'])
  const found = await ctx.transact(async inner => {
    const [row] = await inner.db.select().from(authMessages).where(eq(authMessages.messageId, messageId))
    return row && { row, engine: await engineOf(inner, row.projectId) }
  })
  if (found?.row.state !== 'QUEUED') return
  const { row, engine } = found
  const text = ctx.server.masterKey.open('app auth message', messageId, row.sealedText)
  const outcome = await engine.send(ctx, { messageId, projectId: row.projectId, phone: row.phone, text })
  await settleMessage(ctx, messageId, { ...outcome, engine: engine.name })
}

export async function giveUpMessage(ctx: Context, { input }: JobRun, reason: string): Promise<void> {
  await settleMessage(ctx, String(input['messageId']), {
    state: 'FAILED',
    reason: reason.slice(0, 200),
    engine: 'webhook',
  })
}

async function settleMessage(
  ctx: Context,
  messageId: string,
  change: { state: 'KEPT' | 'SENT' | 'FAILED'; reason: string | null; engine: string },
): Promise<void> {
  await ctx.transact(inner =>
    inner.db
      .update(authMessages)
      .set({ ...change, sentAt: change.state === 'SENT' ? inner.now() : null })
      .where(and(eq(authMessages.messageId, messageId), eq(authMessages.state, 'QUEUED'))),
  )
}

/** What sends the messages of a project. */
export async function engineOf(ctx: Context, projectId: string): Promise<SmsEngine> {
  const row = await productRow(ctx, projectId)
  const settings = { ...defaultSettings, ...row?.settings }
  if (settings.smsEngine !== 'webhook' || !row?.sealedSmsSecret || settings.smsWebhookUrl === '') return outboxEngine
  const secret = ctx.server.masterKey.open('app auth sms', projectId, row.sealedSmsSecret)
  return webhookEngine(settings.smsWebhookUrl, secret)
}
