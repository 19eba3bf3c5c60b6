import type { ZoneId } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { accountContacts } from '../session/public.ts'
import { nextDigestAt } from './digest-times.ts'
import { type Category, isOn, type LocalText, languages, limits, waitsForDigest } from './rules.ts'
import { type Choices, choicesOf } from './settings.ts'

export interface Told {
  category: Category
  /** `review.approved`: for filters and for people who read the rows. */
  kind: string
  title: LocalText
  text: LocalText
  /** A page of the console: `/apps/1`. */
  href?: string
  entityId: string
}

/**
 * Writes a notice for each account in one zone and starts the mails. `cause` makes it once for ever: who has a notice of
 * this cause gets no second one, and no second mail.
 */
export async function writeNotices(
  ctx: Context,
  zone: ZoneId,
  told: Told & { accountIds: readonly string[]; cause: string; ofTeamId: string | null },
): Promise<void> {
  const { accountIds, category } = told
  if (told.href !== undefined && !/^\/(?![/\\])[^\s\\]*$/.test(told.href))
    throw new Error('href is a page of the console')
  const contacts = await accountContacts(ctx, accountIds)
  const choices = await choicesOf(
    ctx,
    contacts.map(one => one.accountId),
  )
  const rows = contacts.flatMap(({ accountId, email }) => {
    const chosen = choices(accountId)
    const mail = email !== null && isOn(chosen.cells, category, 'email') ? mailBy(ctx, chosen, category) : noMail
    const isInInbox = isOn(chosen.cells, category, 'inbox')
    return isInInbox || mail !== noMail
      ? [{ notice_id: ctx.newId(), account_id: accountId, is_in_inbox: isInInbox, ...mail }]
      : []
  })
  if (rows.length === 0) return
  const { rows: made } = await ctx.transaction(zone).query<{ notice_id: string; mail: string }>({
    name: 'notices write',
    text: `INSERT INTO notices (notice_id, account_id, is_in_inbox, mail, mail_due_at, cause, of_team_id, category, kind,
        title, text, href, entity_id, created_at)
      SELECT notice_id, account_id, is_in_inbox, mail, mail_due_at, $2, $3, $4, $5, $6, $7, $8, $9, $10
      FROM jsonb_to_recordset($1::jsonb)
        AS row(notice_id bigint, account_id bigint, is_in_inbox boolean, mail text, mail_due_at bigint)
      ON CONFLICT (account_id, cause) DO NOTHING RETURNING notice_id, mail`,
    values: [
      JSON.stringify(rows),
      told.cause,
      told.ofTeamId,
      category,
      told.kind,
      JSON.stringify(cut(told.title, limits.titleLength)),
      JSON.stringify(cut(told.text, limits.textLength)),
      told.href ?? null,
      told.entityId,
      ctx.now(),
    ],
  })
  startMails(
    ctx,
    zone,
    made.filter(one => one.mail === 'now').map(one => one.notice_id),
  )
}

export const mailKind = 'notices.mail'

function startMails(ctx: Context, zone: ZoneId, noticeIds: readonly string[]): void {
  for (let at = 0; at < noticeIds.length; at += limits.mailsOfJob) {
    const chunk = noticeIds.slice(at, at + limits.mailsOfJob)
    ctx.startJob(
      { kind: mailKind, subject: chunk[0] ?? '', input: { noticeIds: chunk }, deadlineMs: 86_400_000, teamId: null },
      zone,
    )
  }
}

const noMail = { mail: 'none', mail_due_at: null as number | null }

function mailBy(ctx: Context, chosen: Choices, category: Category): typeof noMail {
  if (!waitsForDigest(chosen.digest, category)) return { mail: 'now', mail_due_at: null }
  return { mail: 'digest', mail_due_at: nextDigestAt(ctx.now(), chosen) }
}

function cut(text: LocalText, length: number): LocalText {
  const parts = languages.map(language => [language, [...text[language]].slice(0, length).join('')])
  return Object.fromEntries(parts)
}
