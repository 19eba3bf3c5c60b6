import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { isMailAddress } from '../../../server/engines/mail/port.ts'
import type { JobRun } from '../../../server/work.ts'
import { type MailKind, type MailLanguage, mailOf } from './mails.ts'
import { accountStatus, addressIn, limits, loginKeyOf } from './rules.ts'
import { accounts } from './tables.home.ts'
import { cancelTickets, issueTicket } from './tickets.ts'

type AccountRow = typeof accounts.$inferSelect
const deadlineMs = 10 * 60_000

/** Jobs are readable by operators: what somebody typed is sealed in them. */
export function startMailJob(
  ctx: Context,
  kind: 'session.mailReset' | 'session.mailSignUp' | 'session.mailProof' | 'session.mailMoved',
  input: Record<string, string>,
): void {
  const sealed = ctx.server.masterKey.seal('session mail', kind, JSON.stringify(input))
  ctx.startJob({ kind, subject: 'mail', input: { sealed }, deadlineMs }, 'home')
}

function inputOf(ctx: Context, kind: string, job: JobRun): Record<string, string> {
  return JSON.parse(ctx.server.masterKey.open('session mail', kind, String(job.input['sealed'])))
}

/** For each account of the name or address: a link, if it has a proven address and was not sent five this hour. */
export async function mailReset(ctx: Context, job: JobRun): Promise<void> {
  const typed = inputOf(ctx, 'session.mailReset', job)['account'] ?? ''
  for (const account of await accountsNamed(ctx, typed)) {
    const to = account.email ?? addressIn(account.loginName)
    const isClosed = account.status !== accountStatus.normal && account.status !== accountStatus.mustSignIn
    if (!to || isClosed) continue
    const token = await ctx.transact(async inner => {
      // Jobs run side by side: the account's row makes them count one after the other.
      await inner.home.select().from(accounts).where(eq(accounts.accountId, account.accountId)).for('update')
      if ((await resetsLately(inner, account.accountId)) >= limits.resetsOfHour) return null
      return issueTicket(inner, 'reset', { accountId: account.accountId })
    })
    if (token !== null) await sendLink(ctx, 'reset', account.language, to, `/reset?token=${token}`, account)
  }
}

/** A link for the address, or word that it has an account. */
export async function mailSignUp(ctx: Context, job: JobRun): Promise<void> {
  const { email = '', language = 'en' } = inputOf(ctx, 'session.mailSignUp', job)
  const [known] = await accountsNamed(ctx, email)
  if (known) return sendLink(ctx, 'hasAccount', known.language, email, '/sign-in', known)
  const token = await ctx.transact(inner => issueTicket(inner, 'signUp', { data: { email } }))
  return sendLink(ctx, 'signUp', language as MailLanguage, email, `/sign-up/finish?token=${token}`, {})
}

/** The link that proves a new address of an account. */
export async function mailProof(ctx: Context, job: JobRun): Promise<void> {
  const { email = '', accountId = '' } = inputOf(ctx, 'session.mailProof', job)
  const account = await ctx.transact(async inner => {
    const [row] = await inner.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    return row
  })
  if (!account) return
  const token = await ctx.transact(async inner => {
    await cancelTickets(inner, accountId, ['email'])
    return issueTicket(inner, 'email', { accountId, data: { email } })
  })
  await sendLink(ctx, 'email', account.language, email, `/email?token=${token}`, account)
}

/** Word to the address that an account had before: whoever took the account over would not tell. */
export async function mailMoved(ctx: Context, job: JobRun): Promise<void> {
  const { email = '', accountId = '' } = inputOf(ctx, 'session.mailMoved', job)
  const account = await ctx.transact(async inner => {
    const [row] = await inner.home.select().from(accounts).where(eq(accounts.accountId, accountId))
    return row
  })
  if (account) await sendLink(ctx, 'emailMoved', account.language, email, '/security', account)
}

async function sendLink(
  ctx: Context,
  kind: MailKind,
  language: MailLanguage,
  to: string,
  place: string,
  account: Partial<Pick<AccountRow, 'name' | 'loginName'>>,
): Promise<void> {
  if (!isMailAddress(to)) return
  const { server } = ctx
  const { name = '', loginName = '' } = account
  const link = `${server.config.publicUrl}/#${place}`
  await server.mail.send({ to, ...mailOf(kind, language, { name, loginName, link }) })
}

async function accountsNamed(ctx: Context, typed: string): Promise<AccountRow[]> {
  const key = loginKeyOf(typed)
  return ctx.transact(inner =>
    inner.home
      .select()
      .from(accounts)
      .where(sql`${accounts.loginKey} = ${key} OR lower(${accounts.email}) = ${key}`)
      .limit(3),
  )
}

async function resetsLately(ctx: Context, accountId: string): Promise<number> {
  const { rows } = await ctx.transaction('home').query<{ sent: number }>({
    text: `SELECT count(*)::int AS sent FROM session_tickets WHERE account_id = $1 AND purpose = 'reset' AND created_at > $2`,
    values: [accountId, ctx.now() - 3_600_000],
  })
  return rows[0]?.sent ?? 0
}
