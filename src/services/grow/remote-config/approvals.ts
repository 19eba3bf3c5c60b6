import { eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { remoteConfigErrors as errors } from './contract.ts'
import { rcsSettings } from './tables.ts'

export async function settingsOf(
  ctx: Context,
  projectId: string,
): Promise<typeof rcsSettings.$inferSelect | undefined> {
  const [row] = await ctx.db.select().from(rcsSettings).where(eq(rcsSettings.projectId, projectId))
  return row
}

/** How many others must agree before something of a project is published. */
export const approvalsNeeded = async (ctx: Context, projectId: string): Promise<number> =>
  (await settingsOf(ctx, projectId))?.approvals ?? 0

/** Refuses to publish what nobody else saw, where others must agree. `*` is asked for its own permission by its etag. */
export async function refuseUnapproved(ctx: Context, projectId: string, etag: string | undefined): Promise<void> {
  if (etag?.trim() === '*') return
  const needed = await approvalsNeeded(ctx, projectId)
  if (needed > 0) refuse(errors.approvalsNeeded, { needed, permission: 'remoteConfig.force' })
}

/** The same for what an experiment found: whoever may force it says why instead. */
export async function refuseUnapprovedResult(ctx: Context, projectId: string, reason: string): Promise<void> {
  if (reason.trim() !== '' && ctx.may('remoteConfig.force')) return
  const needed = await approvalsNeeded(ctx, projectId)
  if (needed > 0) refuse(errors.approvalsNeededToShip, { needed, permission: 'remoteConfig.force' })
}
