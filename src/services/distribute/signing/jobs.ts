import { and, eq, lte } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { signingHandover } from './handover.ts'
import { signingNotices } from './notices.ts'
import { uploadCertificates } from './tables.ts'
import { settleUpload } from './uploads.ts'

const atOnce = 100

export default {
  handover: signingHandover,
  listeners: [signingNotices],
  sweeps: [{ name: 'signing.uploadCertificates', every: '15 * * * * *', database: 'zone', run: takeDue }],
} satisfies Work

/** Upload certificates whose two days are over. */
async function takeDue(ctx: Context): Promise<void> {
  const due = await ctx.db
    .select()
    .from(uploadCertificates)
    .where(and(eq(uploadCertificates.state, 'PENDING'), lte(uploadCertificates.effectiveAt, ctx.now())))
    .limit(atOnce)
    .for('update', { skipLocked: true })
  for (const row of due) await settleUpload(ctx, row, 'take')
}
