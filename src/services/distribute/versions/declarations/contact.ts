import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { type AppRow, lockApp } from '../../apps/public.ts'
import { limits } from '../rules.ts'
import { contacts } from '../tables.ts'
import { versionDeclarations as contract } from './contract.ts'

type ContactRecord = typeof contacts.$inferSelect

/** Sends a code, or looks at the one that came back. A wrong one is an answer, not a refusal: it costs a try. */
export async function validateContact(ctx: Context, wish: { appId: string; address: string; code?: string }) {
  const app = await lockApp(ctx, wish.appId)
  const address = wish.address.toLowerCase()
  const known = await contactOf(ctx, app.appId, address)
  if (wish.code === undefined) return sendCode(ctx, app, address, known)
  if (!known?.codeSealed || known.expiresAt <= ctx.now()) refuse(contract.errors.noCode, { address })
  if (known.triesLeft <= 0) return answer('USED_UP', known)
  if (isSame(openCode(ctx, known), wish.code)) {
    return answer('VALID', await change(ctx, known, { codeSealed: null, validatedAt: ctx.now() }))
  }
  const after = await change(ctx, known, { triesLeft: known.triesLeft - 1 })
  return answer(after.triesLeft > 0 ? 'WRONG' : 'USED_UP', after)
}

async function sendCode(ctx: Context, app: AppRow, address: string, known: ContactRecord | undefined) {
  const now = ctx.now()
  const availableAt = (known?.sentAt ?? 0) + limits.contactEveryMs
  if (availableAt > now) {
    const seconds = Math.ceil((availableAt - now) / 1000)
    refuse(contract.errors.codeTooSoon, {
      available: new Date(availableAt).toISOString(),
      availableAt,
      retryAfterSeconds: seconds,
    })
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row = {
    appId: app.appId,
    address,
    teamId: app.teamId,
    codeSealed: ctx.server.masterKey.seal('versions.contact', `${app.appId} ${address}`, code),
    triesLeft: limits.contactTries,
    sentAt: now,
    expiresAt: now + limits.contactMs,
    validatedAt: null,
  }
  await ctx.db
    .insert(contacts)
    .values(row)
    .onConflictDoUpdate({ target: [contacts.appId, contacts.address], set: row })
  ctx.startJob({
    kind: 'versions.contactCode',
    subject: app.appId,
    input: { appId: app.appId, address, appName: app.name, language: ctx.place.language, sentAt: now },
    deadlineMs: limits.contactMs,
  })
  ctx.audit({ action: 'app.contactCode', entity: 'app', entityId: app.appId })
  return answer('SENT', row)
}

const words = {
  en: (code: string, app: string) => ({
    subject: `${code} is your code for ${app}`,
    text: `Somebody gave this address as the contact for reviews of ${app}.\n\nThe code is ${code}. It holds for ten minutes.\n\nIf that was not you, there is nothing to do.\n`,
  }),
  zh: (code: string, app: string) => ({
    subject: `${app} 的验证码：${code}`,
    text: `有人将此邮箱填写为“${app}”的审核联系方式。\n\n验证码：${code}，十分钟内有效。\n\n如非本人操作，请忽略本邮件。\n`,
  }),
} as const

/** Sends the code that waits; one that was used or replaced meanwhile is not sent. */
export async function mailCode(ctx: Context, job: JobRun): Promise<void> {
  const { appId, address, appName, language, sentAt } = job.input as Record<string, string>
  const known = await ctx.transact(inner => contactOf(inner, String(appId), String(address)))
  if (!known?.codeSealed || known.sentAt !== Number(sentAt)) return
  const said = words[language === 'zh' ? 'zh' : 'en'](openCode(ctx, known), String(appName).replace(/\s+/g, ' '))
  await ctx.server.mail.send({ to: known.address, ...said, id: `contact-${job.jobId}` })
}

async function contactOf(ctx: Context, appId: string, address: string): Promise<ContactRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(contacts)
    .where(and(eq(contacts.appId, appId), eq(contacts.address, address)))
  return row
}

async function change(ctx: Context, known: ContactRecord, set: Partial<ContactRecord>): Promise<ContactRecord> {
  await ctx.db
    .update(contacts)
    .set(set)
    .where(and(eq(contacts.appId, known.appId), eq(contacts.address, known.address)))
  return { ...known, ...set }
}

function openCode(ctx: Context, known: ContactRecord): string {
  return ctx.server.masterKey.open('versions.contact', `${known.appId} ${known.address}`, known.codeSealed ?? '')
}

function isSame(code: string, given: string): boolean {
  return code.length === given.length && timingSafeEqual(Buffer.from(code), Buffer.from(given))
}

function answer(state: 'SENT' | 'VALID' | 'WRONG' | 'USED_UP', row: ContactRecord) {
  const { address, triesLeft, validatedAt } = row
  return { state, address, triesLeft, expiresAt: row.codeSealed === null ? null : row.expiresAt, validatedAt }
}
