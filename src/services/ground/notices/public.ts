import type { ScopedThing } from '../../../kernel/permissions.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
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
    /** Left out: the zone of the call, in its transaction. Another's rows come before the receipt; `cause` makes them once. */
    there?: { zone: ZoneId; cause: string }
  },
): Promise<void> {
  const { to, there, ...told } = notice
  const accountIds = 'teamId' in to ? await membersWith(ctx, to.teamId, to) : to.accountIds
  const ofTeamId = 'teamId' in to ? to.teamId : ctx.place.teamId
  const cause = there?.cause ?? `${told.kind} ${ctx.newId()}`
  const zone = there && ctx.server.config.zones.includes(there.zone) ? there.zone : ctx.zone
  await writeNotices(ctx, zone, { ...told, accountIds, ofTeamId, cause })
}
