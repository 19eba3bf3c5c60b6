import type { ScopedThing } from '../../../kernel/permissions.ts'
import type { Context } from '../../../server/context.ts'
import { membersWith } from '../teams/public.ts'
import { type Told, writeNotices } from './write.ts'

/**
 * Tells people something in the zone of the call: in their inbox, and by mail as they chose, in their language. `title`
 * is one line and becomes the subject; names in it may be anything, mails and pages show them as text. A team with a
 * permission means its active members who hold it, and reach the app or project in
 * `about`. Call it from a listener: its receipt makes it happen once.
 */
export async function notify(
  ctx: Context,
  notice: Told & {
    to: { accountIds: readonly string[] } | { teamId: string; permission?: string; about?: ScopedThing }
  },
): Promise<void> {
  const { to, ...told } = notice
  const accountIds = 'teamId' in to ? await membersWith(ctx, to.teamId, to) : to.accountIds
  const ofTeamId = 'teamId' in to ? to.teamId : ctx.place.teamId
  await writeNotices(ctx, ctx.zone, { ...told, accountIds, ofTeamId, cause: `${told.kind} ${ctx.newId()}` })
}
