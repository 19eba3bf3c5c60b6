import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { developerSupport as contract } from './contract.ts'
import { limits } from './rules.ts'
import { supportContacts as contacts } from './tables.ts'

type ContactRow = typeof contacts.$inferSelect

/** Sends a code, or looks at the one that came back. A wrong one is an answer, not a refusal: it costs a try. */
export async function verifyContact(ctx: Context, wish: { address: string; code?: string }) {
  ctx.assertScope({})
  const address = wish.address.toLowerCase()
  await takeTurn(ctx)
  const known = await contactOf(ctx, ctx.teamId, address)
  if (wish.code === undefined) return sendCode(ctx, address, known)
  if (!known?.codeSealed || known.expiresAt <= ctx.now()) refuse(contract.errors.noCode, { address })
  if (known.triesLeft <= 0) return answer('USED_UP', known)
  if (isSame(openCode(ctx, known), wish.code)) {
    ctx.audit({ action: 'support.contactVerified', entity: 'team', entityId: ctx.teamId })
    return answer('VALID', await change(ctx, known, { codeSealed: null, verifiedAt: ctx.now() }))
  }
  const after = await change(ctx, known, { triesLeft: known.triesLeft - 1 })
  return answer(after.triesLeft > 0 ? 'WRONG' : 'USED_UP', after)
}

/** Of a team one at a time: two requests would share one set of tries else. */
export async function takeTurn(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    text: `SELECT pg_advisory_xact_lock(115, hashtext($1))`,
    values: [ctx.teamId],
  })
}

async function sendCode(ctx: Context, address: string, known: ContactRow | undefined) {
  const now = ctx.now()
  const wait = known && waitOf(known.sentAt, now)
  if (wait) refuse(contract.errors.codeTooSoon, wait)
  const held = known ? 0 : await ctx.db.$count(contacts, eq(contacts.teamId, ctx.teamId))
  if (held >= limits.contacts) refuse(contract.errors.tooManyContacts, { limit: limits.contacts })
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row = {
    teamId: ctx.teamId,
    address,
    codeSealed: ctx.server.masterKey.seal('support.contact', `${ctx.teamId} ${address}`, code),
    triesLeft: limits.tries,
    sentAt: now,
    expiresAt: now + limits.codeMs,
    verifiedAt: null,
    askedBy: ctx.accountId,
  }
  await ctx.db
    .insert(contacts)
    .values(row)
    .onConflictDoUpdate({ target: [contacts.teamId, contacts.address], set: row })
  ctx.startJob({
    kind: 'support.contactCode',
    subject: ctx.teamId,
    input: { address, language: ctx.place.language, sentAt: now },
    deadlineMs: limits.codeMs,
  })
  ctx.audit({ action: 'support.contactCode', entity: 'team', entityId: ctx.teamId })
  return answer('SENT', row)
}

/** How long after a code the address is left alone; undefined where that is over. */
export function waitOf(sentAt: number, now: number) {
  const availableAt = sentAt + limits.everyMs
  if (availableAt <= now) return undefined
  const retryAfterSeconds = Math.ceil((availableAt - now) / 1000)
  return { available: new Date(availableAt).toISOString(), availableAt, retryAfterSeconds }
}

const words = {
  en: (code: string) => ({
    subject: `${code} is your code for support`,
    text: `A team gave this address as its contact for support.\n\nThe code is ${code}. It holds for ten minutes.\n\nIf that was not you, there is nothing to do.\n`,
  }),
  zh: (code: string) => ({
    subject: `技术支持联系方式验证码：${code}`,
    text: `有团队将此邮箱填写为技术支持联系方式。\n\n验证码：${code}，十分钟内有效。\n\n如非本人操作，请忽略本邮件。\n`,
  }),
} as const

/** Sends the code that waits; one that was used or replaced meanwhile is not sent. */
export async function mailCode(ctx: Context, job: JobRun): Promise<void> {
  const { address, language, sentAt } = job.input as Record<string, string>
  const known = await ctx.transact(inner => contactOf(inner, job.teamId ?? '', String(address)))
  if (!known?.codeSealed || known.sentAt !== Number(sentAt)) return
  const said = words[language === 'zh' ? 'zh' : 'en'](openCode(ctx, known))
  await ctx.server.mail.send({ to: known.address, ...said, id: `support-${job.jobId}` })
}

export async function contactOf(ctx: Context, teamId: string, address: string): Promise<ContactRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(contacts)
    .where(and(eq(contacts.teamId, teamId), eq(contacts.address, address)))
  return row
}

async function change(ctx: Context, known: ContactRow, set: Partial<ContactRow>): Promise<ContactRow> {
  await ctx.db
    .update(contacts)
    .set(set)
    .where(and(eq(contacts.teamId, known.teamId), eq(contacts.address, known.address)))
  return { ...known, ...set }
}

function openCode(ctx: Context, known: ContactRow): string {
  return ctx.server.masterKey.open('support.contact', `${known.teamId} ${known.address}`, known.codeSealed ?? '')
}

function isSame(code: string, given: string): boolean {
  return code.length === given.length && timingSafeEqual(Buffer.from(code), Buffer.from(given))
}

function answer(state: 'SENT' | 'VALID' | 'WRONG' | 'USED_UP', row: ContactRow) {
  const { address, triesLeft, verifiedAt } = row
  return { state, address, triesLeft, expiresAt: row.codeSealed === null ? null : row.expiresAt, verifiedAt }
}
