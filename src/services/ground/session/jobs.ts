import { lt, or } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { eraseDue } from './deletion/erasing.ts'
import { forgetErased } from './deletion/forgetting.ts'
import { mailMoved, mailProof, mailReset, mailSignUp } from './mail-links.ts'
import { expireRealNames } from './real-names/handlers.ts'
import { failureWindowMs, limits } from './rules.ts'
import { knownDevices, sessions, tickets } from './tables.home.ts'

const dayMs = 86_400_000

export default {
  jobs: [
    { kind: 'session.mailReset', run: mailReset },
    { kind: 'session.mailSignUp', run: mailSignUp },
    { kind: 'session.mailProof', run: mailProof },
    { kind: 'session.mailMoved', run: mailMoved },
  ],
  sweeps: [
    { name: 'session.erase', every: '25 * * * * *', database: 'home', run: eraseDue },
    { name: 'session.forget-home', every: '35 */5 * * * *', database: 'home', run: ctx => forgetErased(ctx, 'home') },
    { name: 'session.forget-zone', every: '35 */5 * * * *', database: 'zone', run: ctx => forgetErased(ctx, ctx.zone) },
    { name: 'session.expireRealNames', every: '10 * * * * *', database: 'home', run: expireRealNames },
    { name: 'session.tidy', every: '20 3 * * * *', database: 'home', run: tidy },
  ],
} satisfies Work

/** What no longer proves or bars anything, and the addresses that mails went to. */
async function tidy(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.home.delete(tickets).where(lt(tickets.expiresAt, now - dayMs))
  await ctx.home
    .delete(sessions)
    .where(or(lt(sessions.hardExpireAt, now - 30 * dayMs), lt(sessions.revokedAt, now - 30 * dayMs)))
  await ctx.home.delete(knownDevices).where(lt(knownDevices.lastSeenAt, now - limits.deviceLifeMs))
  await ctx.transaction('home').query({
    text: `UPDATE jobs SET input = '{}' WHERE kind LIKE 'session.mail%' AND state IN ('done', 'failed', 'canceled')
      AND input <> '{}'`,
  })
  await ctx.transaction('home').query({
    text: 'DELETE FROM sign_in_failures WHERE first_at < $1 AND locked_until < $1',
    values: [now - failureWindowMs],
  })
}
