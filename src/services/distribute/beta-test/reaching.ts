import type { Context } from '../../../server/context.ts'
import { BadMail } from '../../../server/engines/mail/port.ts'
import { sendText } from '../../build/app-auth/public.ts'
import { isPhone } from './rules.ts'

/** What is said to a tester: a mail, and for who is known by a phone number a line with the page it is about. */
export interface Words {
  subject: string
  text: string
  page: string
  /** The same again has the same id. */
  id: string
}

/**
 * Mails a tester, or sends a text message by the gateway of the app's project. Without one nobody gets a message: the
 * developer finds the page beside the number and passes it on. What cannot be delivered does not hold up the others.
 */
export async function reachPerson(
  ctx: Context,
  app: { projectId: string },
  account: string,
  { subject, text, page, id }: Words,
): Promise<void> {
  if (isPhone(account)) {
    const outcome = await sendText(ctx, app.projectId, { messageId: id, phone: account, text: `${subject}: ${page}` })
    if (outcome.state === 'FAILED') ctx.log.warn({ id, reason: outcome.reason }, 'a tester could not be sent a text')
    return
  }
  await ctx.server.mail.send({ to: account, subject, text, id }).catch(error => {
    if (!(error instanceof BadMail)) throw error
    ctx.log.warn({ id }, 'a tester could not be mailed')
  })
}
