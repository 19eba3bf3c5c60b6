import { and, desc, eq, gt, lte } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { appsOf } from '../../apps/public.ts'
import type { ActivityRecord } from '../activities/activities.ts'
import { readSecret } from '../address.ts'
import { invitedBy } from '../invitations/answering.ts'
import { betaInvitations } from '../invitations/contract.ts'
import { openDoor } from '../invitations/joining.ts'
import { maskedAddress } from '../invitations/rules.ts'
import { behind, type Page, paged } from '../queries.ts'
import { limits } from '../rules.ts'
import { activities, joins } from '../tables.ts'
import { testsOn } from '../test-doors.ts'

const { errors } = betaInvitations
const nothing = { state: null, address: null, expiresAt: null, activity: null }

/** What a secret is for. A forged one, one of a person who was taken out and one that has ended look the same. */
export async function viewOf(ctx: Context, token: string) {
  const holder = readSecret(ctx, token)
  if (holder?.kind === 'user') {
    const { app, user } = await invitedBy(ctx, holder.userId)
    const expiresAt = user.state === 'INVITED' ? (user.invitedAt ?? 0) + limits.inviteMs : null
    const address = maskedAddress(user.account)
    return { ...nothing, kind: 'person' as const, appName: app.name, state: user.state, address, expiresAt }
  }
  if (holder?.kind === 'link' || holder?.kind === 'activity') {
    const { app, link, activity } = await openDoor(ctx, holder)
    if (link && link.used >= link.limit) refuse(betaInvitations.errors.groupFull, { limit: link.limit })
    const expiresAt = link?.expiresAt ?? activity?.endAt ?? null
    const said = { ...nothing, kind: holder.kind, appName: app.name, expiresAt }
    return { ...said, activity: activity ? wordsOf(activity) : null }
  }
  if (holder?.kind === 'join') {
    const [join] = await ctx.db.select().from(joins).where(eq(joins.joinId, holder.joinId))
    const [app] = join ? await appsOf(ctx, [join.appId]) : []
    if (!join || !app || join.expiresAt <= ctx.now()) refuse(errors.notInvited)
    const { account, expiresAt } = join
    return { ...nothing, kind: 'mail' as const, appName: app.name, address: maskedAddress(account), expiresAt }
  }
  const [test] = holder ? await testsOn(ctx).ofIds(ctx, [holder.versionId]) : []
  const [app] = test?.isRunning ? await appsOf(ctx, [test.appId]) : []
  if (!app) refuse(errors.notInvited)
  return { ...nothing, kind: 'open' as const, appName: app.name }
}

function wordsOf(row: ActivityRecord) {
  return { ...row, placesLeft: Math.max(0, row.quota - row.joined) }
}

/** Activities that anybody can join now. The context must be the system's. */
export async function pageOfOpen(ctx: Context, { cursor, pageSize = 20 }: Page) {
  const now = ctx.now()
  const open = and(eq(activities.state, 'RECRUITING'), lte(activities.startAt, now), gt(activities.endAt, now))
  const rows = await ctx.db
    .select()
    .from(activities)
    .where(and(open, behind(activities.activityId, cursor)))
    .orderBy(desc(activities.activityId))
    .limit(pageSize + 1)
  const { list, nextCursor } = paged(rows, pageSize, row => row.activityId)
  const apps = await appsOf(
    ctx,
    list.map(row => row.appId),
  )
  const live = new Map(apps.filter(app => app.lifecycle === 'ACTIVE').map(app => [app.appId, app.name]))
  return {
    total: await ctx.db.$count(activities, open),
    list: list.flatMap(row => {
      const appName = live.get(row.appId)
      return appName === undefined ? [] : [{ appName, ...wordsOf(row) }]
    }),
    nextCursor,
  }
}
