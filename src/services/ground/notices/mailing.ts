import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { BadMail } from '../../../server/engines/mail/port.ts'
import type { Server } from '../../../server/server.ts'
import type { JobRun } from '../../../server/work.ts'
import { consentingOf } from '../agreements/public.ts'
import { type AccountContact, accountContacts } from '../session/public.ts'
import { digestOf, type Line, letterOf } from './letter.ts'
import { isLocked, isOn, limits } from './rules.ts'
import { choicesOf } from './settings.ts'
import { digests, notices } from './tables.ts'
import { type Unsubscribed, unsubscribeUrl } from './unsubscribe.ts'

type NoticeRow = typeof notices.$inferSelect

/** Sends the mails of some notices. A mail that went before a crash goes again with the same Message-ID. */
export async function sendMails(ctx: Context, job: JobRun): Promise<void> {
  const noticeIds = job.input['noticeIds'] as string[]
  const { rows, contacts, isWelcome } = await ctx.transact(async inner => {
    const waiting = await inner.db
      .select()
      .from(notices)
      .where(and(inArray(notices.noticeId, noticeIds), eq(notices.mail, 'now')))
    const contacts = await contactsOf(inner, waiting)
    return { rows: waiting, contacts, isWelcome: await welcomeOf(inner, waiting) }
  }, 'all')
  for (const [at, row] of rows.entries()) {
    job.signal.throwIfAborted()
    const contact = contacts.get(row.accountId)
    const state = !isWelcome(row)
      ? 'none'
      : contact?.email
        ? await sendNotice(ctx.server, row, contact, contact.email)
        : 'failed'
    await ctx.transact(
      inner => inner.db.update(notices).set({ mail: state }).where(eq(notices.noticeId, row.noticeId)),
      'all',
    )
    await job.progress('sending', Math.round((100 * (at + 1)) / rows.length))
  }
}

async function sendNotice(server: Server, row: NoticeRow, contact: AccountContact, to: string) {
  const ends = isLocked(row.category, 'email') ? null : unsubscribeUrl(server, row.accountId, row.category)
  const letter = letterOf(lineOf(server, row), { ...readerOf(server, contact), unsubscribeUrl: ends, timeZone: 'UTC' })
  const mail = { to, ...letter, id: `notice.${row.noticeId}`, ...(ends ? { unsubscribeUrl: ends } : {}) }
  try {
    await server.mail.send(mail)
    return 'sent' as const
  } catch (error) {
    if (error instanceof BadMail) return 'failed' as const
    throw error
  }
}

export async function giveUpMails(ctx: Context, job: JobRun): Promise<void> {
  const noticeIds = job.input['noticeIds'] as string[]
  await ctx.transact(
    inner =>
      inner.db
        .update(notices)
        .set({ mail: 'failed' })
        .where(and(inArray(notices.noticeId, noticeIds), eq(notices.mail, 'now'))),
    'all',
  )
}

/**
 * Sends one digest. That it is being sent is written down first: a process that dies while the mail server has it leaves
 * it `unsure`, and it is not sent again. What was not read by then comes with the next one.
 */
export async function sendDigest(ctx: Context, job: JobRun): Promise<void> {
  const digestId = String(job.input['digestId'])
  const taken = await ctx.transact(inner => takeDigest(inner, digestId), 'all')
  if (!taken) return
  const { accountId, rows, contact, choices, more } = taken
  const { server } = ctx
  const what: Unsubscribed = 'digest'
  const ends = unsubscribeUrl(server, accountId, what)
  const letter = digestOf(
    rows.map(row => lineOf(server, row)),
    {
      ...readerOf(server, contact),
      unsubscribeUrl: ends,
      timeZone: choices.timeZone,
      kind: choices.digest,
      more,
      inboxUrl: `${server.config.publicUrl}/#/notices`,
    },
  )
  try {
    await server.mail.send({ to: contact.email, ...letter, id: `digest.${digestId}`, unsubscribeUrl: ends })
  } catch (error) {
    await endDigest(ctx, digestId, error instanceof BadMail ? 'failed' : 'waiting')
    if (error instanceof BadMail) return
    throw error
  }
  await endDigest(ctx, digestId, 'sent')
}

async function takeDigest(ctx: Context, digestId: string) {
  const [digest] = await ctx.db.select().from(digests).where(eq(digests.digestId, digestId)).for('update')
  if (digest?.state === 'sending') await release(ctx, digestId, 'unsure')
  if (digest?.state !== 'waiting') return null
  const { accountId } = digest
  const choices = (await choicesOf(ctx, [accountId]))(accountId)
  const found = await ctx.db
    .select()
    .from(notices)
    .where(eq(notices.digestId, digestId))
    .orderBy(desc(notices.noticeId))
  const isWelcome = await welcomeOf(ctx, found)
  const unread = found.filter(
    row => row.readAt === null && isOn(choices.cells, row.category, 'email') && isWelcome(row),
  )
  const [contact] = await accountContacts(ctx, [accountId])
  if (unread.length === 0 || !contact?.email) {
    await ctx.db.update(digests).set({ state: 'empty' }).where(eq(digests.digestId, digestId))
    return null
  }
  await ctx.db.update(digests).set({ state: 'sending' }).where(eq(digests.digestId, digestId))
  const rows = unread.slice(0, limits.shownInDigest)
  const more = unread.length - rows.length
  return { accountId, rows, more, choices, contact: { ...contact, email: contact.email } }
}

async function endDigest(ctx: Context, digestId: string, state: 'sent' | 'failed' | 'waiting'): Promise<void> {
  await ctx.transact(inner => inner.db.update(digests).set({ state }).where(eq(digests.digestId, digestId)), 'all')
}

/** Its notices wait for the next digest. */
async function release(ctx: Context, digestId: string, state: 'unsure' | 'failed'): Promise<void> {
  await ctx.db.update(digests).set({ state }).where(eq(digests.digestId, digestId))
  await ctx.db
    .update(notices)
    .set({ mail: 'digest', mailDueAt: ctx.now(), digestId: null })
    .where(eq(notices.digestId, digestId))
}

export async function giveUpDigest(ctx: Context, job: JobRun): Promise<void> {
  await ctx.transact(inner => release(inner, String(job.input['digestId']), 'failed'), 'all')
}

/** Marketing goes to those only who consent to it when it goes out, whatever they chose when it was written. */
async function welcomeOf(ctx: Context, rows: readonly NoticeRow[]): Promise<(row: NoticeRow) => boolean> {
  const asked = rows.filter(row => row.category === 'marketing').map(row => row.accountId)
  const consenting = await consentingOf(ctx, [...new Set(asked)], 'EMAIL_MARKETING')
  return row => row.category !== 'marketing' || consenting.has(row.accountId)
}

async function contactsOf(ctx: Context, rows: readonly NoticeRow[]): Promise<Map<string, AccountContact>> {
  const found = await accountContacts(ctx, [...new Set(rows.map(row => row.accountId))])
  return new Map(found.map(contact => [contact.accountId, contact]))
}

function lineOf({ config }: Server, row: NoticeRow): Line {
  const { title, text, category, createdAt, href } = row
  return { title, text, category, createdAt, url: href === null ? null : `${config.publicUrl}/#${href}` }
}

function readerOf({ config }: Server, { name, language }: AccountContact) {
  return { name, language, settingsUrl: `${config.publicUrl}/#/notices/settings` }
}
