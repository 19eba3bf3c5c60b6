import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { accountsOf } from '../../session/public.ts'
import { loadTeam } from '../queries.ts'
import { invitations as rows } from '../tables.home.ts'
import type { MailLanguage } from './rules.ts'
import { hashOf, linkOf, newToken } from './token.ts'

/**
 * Makes the token of an invitation and mails it. A job that runs again makes another and only the last one works; what
 * was sent again or answered meanwhile is left alone.
 */
export async function mailInvitation(ctx: Context, { input }: JobRun): Promise<void> {
  const invitationId = String(input['invitationId'])
  const token = newToken()
  const mail = await ctx.transact(async inner => {
    const [row] = await inner.home
      .select()
      .from(rows)
      .where(
        and(eq(rows.invitationId, invitationId), eq(rows.state, 'open'), eq(rows.revision, Number(input['revision']))),
      )
      .for('update')
    if (!row) return null
    await inner.home
      .update(rows)
      .set({ tokenHash: hashOf(token), sent: row.sent + 1 })
      .where(eq(rows.invitationId, invitationId))
    const [inviter] = await accountsOf(inner, [row.invitedBy])
    const team = await loadTeam(inner, row.teamId)
    const link = linkOf(ctx.server.config.publicUrl, token)
    return { to: row.address, ...wordsOf(row.language, team.name, inviter?.name ?? '', link) }
  }, 'all')
  if (mail) await ctx.server.mail.send(mail)
}

function wordsOf(
  language: MailLanguage,
  team: string,
  inviter: string,
  link: string,
): { subject: string; text: string } {
  const name = plain(team)
  const by = plain(inviter)
  const mails = {
    zh: {
      subject: `${by} 邀请您加入团队 ${name}`,
      text: `${by} 邀请您加入 Loggia 团队「${name}」。\n\n打开此链接接受或拒绝，七天内有效：\n${link}\n\n如果您不认识对方，请忽略此邮件。\n`,
    },
    en: {
      subject: `${by} invites you to the team ${name}`,
      text: `${by} invites you to the team ${name} in Loggia.\n\nAccept or decline with this link within seven days:\n${link}\n\nIf you do not know them, ignore this mail.\n`,
    },
    ru: {
      subject: `${by} приглашает вас в команду «${name}»`,
      text: `${by} приглашает вас в команду «${name}» в Loggia.\n\nПринять или отклонить приглашение можно по этой ссылке в течение семи дней:\n${link}\n\nЕсли вы не знаете этого человека, просто не отвечайте на письмо.\n`,
    },
  }
  return mails[language]
}

/** One line, whatever a team is called. */
function plain(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]+/gu, ' ').trim()
}
