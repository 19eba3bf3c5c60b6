import { and, count, eq, gt, gte, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Language } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import type { JobRun } from '../../../../server/work.ts'
import { type AppRow, appsOf, lockApp } from '../../apps/public.ts'
import { takeActivityPlace } from '../activities/places.ts'
import { pageOfHolder } from '../address.ts'
import { addressOf, mustHaveRoom, putPeople } from '../people/adding.ts'
import { type GroupRecord, groupsOfIds, type LinkRecord, type UserRecord } from '../queries.ts'
import { reachPerson } from '../reaching.ts'
import { isInvitationOpen, limits } from '../rules.ts'
import { activities, joins, links, testUsers } from '../tables.ts'
import { betaInvitations as contract } from './contract.ts'
import { takePlace } from './links.ts'
import { plain } from './mail.ts'

const { errors } = contract
type ActivityRecord = typeof activities.$inferSelect

/** What a link or an activity opens: a group of an app, and whose places are taken. */
export interface Door {
  app: AppRow
  group: GroupRecord
  link: LinkRecord | null
  activity: ActivityRecord | null
}

export type DoorHolder = { kind: 'link'; linkId: string } | { kind: 'activity'; activityId: string }

/** The group behind a link or an activity that people can join by now. The context must be the system's. */
export async function openDoor(ctx: Context, holder: DoorHolder): Promise<Door> {
  const now = ctx.now()
  const isLink = holder.kind === 'link'
  const [link] = isLink ? await ctx.db.select().from(links).where(eq(links.linkId, holder.linkId)) : []
  const [activity] = isLink
    ? []
    : await ctx.db.select().from(activities).where(eq(activities.activityId, holder.activityId))
  const door = link ?? activity
  if (!door || (activity && activity.state === 'DRAFT')) refuse(errors.notInvited)
  const [group] = await groupsOfIds(ctx, [door.groupId])
  const [app] = await appsOf(ctx, [door.appId])
  if (!group || !app || app.lifecycle !== 'ACTIVE') refuse(errors.notInvited)
  if (link && (link.state !== 'LIVE' || link.expiresAt <= now)) refuse(errors.notInvited)
  if (activity && (activity.state !== 'RECRUITING' || activity.startAt > now || activity.endAt <= now)) {
    refuse(errors.isOver)
  }
  return { app, group, link: link ?? null, activity: activity ?? null }
}

/**
 * Somebody without a session gives his address. Whoever he is, the answer is the same: whether he tests already, was
 * asked a moment ago or was taken out is told by mail to the address alone.
 */
export async function askToJoin(
  ctx: Context,
  holder: DoorHolder,
  wish: { account: string; nickname?: string; language: Language },
): Promise<void> {
  const { app, group, link, activity } = await openDoor(ctx, holder)
  const account = addressOf(wish.account)
  await lockApp(ctx, app.appId)
  const now = ctx.now()
  const before = await ctx.db.select().from(joins).where(eq(joins.account, account))
  const mine = before.find(one => one.groupId === group.groupId)
  const mailed = before.filter(one => one.mailedAt > now - limits.joinMs).reduce((sum, one) => sum + one.mails, 0)
  if (mailed >= limits.joinMailsOfAddress || (mine && mine.mailedAt > now - limits.joinPauseMs)) return
  if (!mine) await mustNotFlood(ctx, group.groupId)
  const [join] = await ctx.db
    .insert(joins)
    .values({
      ...{ joinId: ctx.newId(), teamId: app.teamId, appId: app.appId, groupId: group.groupId, account },
      ...{ linkId: link?.linkId ?? null, activityId: activity?.activityId ?? null, language: wish.language },
      ...{ nickname: (wish.nickname ?? '').trim(), mails: 1, mailedAt: now, expiresAt: now + limits.joinMs },
    })
    .onConflictDoUpdate({
      target: [joins.groupId, joins.account],
      // Each mail has a secret of its own; those before end.
      set: {
        joinId: sql`excluded.join_id`,
        linkId: sql`excluded.link_id`,
        activityId: sql`excluded.activity_id`,
        nickname: sql`excluded.nickname`,
        language: sql`excluded.language`,
        mails: sql`${joins.mails} + 1`,
        mailedAt: now,
        expiresAt: now + limits.joinMs,
      },
    })
    .returning()
  if (!join) throw new Error('no row came back')
  const { joinId, teamId } = join
  ctx.startJob({ kind: 'betaTest.join', subject: joinId, input: { joinId }, deadlineMs: limits.mailMs, teamId })
}

async function mustNotFlood(ctx: Context, groupId: string): Promise<void> {
  const [open] = await ctx.db
    .select({ people: count() })
    .from(joins)
    .where(and(eq(joins.groupId, groupId), gt(joins.expiresAt, ctx.now())))
  if ((open?.people ?? 0) >= limits.joinsOpen) refuse(errors.joinsMany, { retryAfterSeconds: 3600 })
}

/** The mail with the page that says yes; who tests already gets the page that he has. */
export async function mailJoin(ctx: Context, job: JobRun): Promise<void> {
  const found = await ctx.transact(async inner => {
    const [join] = await inner.db
      .select()
      .from(joins)
      .where(eq(joins.joinId, String(job.input['joinId'])))
    const [app] = join ? await appsOf(inner, [join.appId]) : []
    if (!join || !app) return null
    return { join, app, there: await userOf(inner, join.groupId, join.account) }
  })
  if (!found) return
  const { join, app, there } = found
  if (there?.state === 'REMOVED') return
  const isThere = there !== undefined && isInvitationOpen(there, ctx.now())
  const { joinId } = join
  const page = pageOfHolder(ctx, isThere ? { kind: 'user', userId: there.userId } : { kind: 'join', joinId })
  const said = words[join.language](plain(app.name), page)
  await reachPerson(ctx, app, join.account, { ...said, page, id: `beta-join-${joinId}` })
}

async function userOf(ctx: Context, groupId: string, account: string): Promise<UserRecord | undefined> {
  const [user] = await ctx.db
    .select()
    .from(testUsers)
    .where(and(eq(testUsers.groupId, groupId), eq(testUsers.account, account)))
  return user
}

/** The mail was answered: once, however often it is sent. The context must be the system's. */
export async function answerJoin(ctx: Context, joinId: string): Promise<{ app: AppRow; user: UserRecord }> {
  const [join] = await ctx.db
    .delete(joins)
    .where(and(eq(joins.joinId, joinId), gte(joins.expiresAt, ctx.now())))
    .returning()
  if (!join) refuse(errors.notInvited)
  const { linkId, activityId, account, nickname } = join
  const door = await openDoor(
    ctx,
    linkId === null ? { kind: 'activity', activityId: activityId ?? '0' } : { kind: 'link', linkId },
  )
  return { app: door.app, user: await enter(ctx, door, { account, nickname }) }
}

/** Takes somebody in whose address is proven. Who was taken out by the developer does not come back by himself. */
export async function enter(
  ctx: Context,
  { app, group, link, activity }: Door,
  person: { account: string; nickname: string; accountId?: string },
): Promise<UserRecord> {
  const locked = await lockApp(ctx, app.appId)
  if (locked.lifecycle !== 'ACTIVE') refuse(commonErrors.notFound, { entity: 'app', id: app.appId })
  const there = await userOf(ctx, group.groupId, person.account)
  if (there?.state === 'REMOVED') refuse(errors.wasRemoved)
  if (there?.state === 'ACCEPTED') return there
  if (link) await takePlace(ctx, link)
  if (activity) await takeActivityPlace(ctx, activity)
  await mustHaveRoom(ctx, app.appId, [person.account])
  const [user] = await putPeople(ctx, group, [{ ...person, state: 'ACCEPTED' }])
  if (!user) throw new Error('no row came back')
  const { userId, teamId } = user
  const data = { appId: app.appId, groupId: group.groupId }
  ctx.emit({ type: 'testuser.accepted', entity: 'testUser', entityId: userId, teamId, data })
  ctx.emit({
    ...{ type: 'testgroup.changed', entity: 'testGroup', entityId: group.groupId, teamId },
    data: { appId: app.appId, verb: 'join' },
  })
  return user
}

/** Forgets the addresses of those who never answered. */
export async function sweepJoins(ctx: Context): Promise<void> {
  await ctx.db.delete(joins).where(sql`${joins.expiresAt} <= ${ctx.now() - limits.joinMs}`)
}

const words = {
  zh: (app: string, page: string) => ({
    subject: `确认加入 ${app} 的测试`,
    text: `有人（很可能是您）用此邮箱申请加入 ${app} 的测试。\n\n在手机上打开以下页面并确认，一天内有效：\n${page}\n\n如果不是您本人的操作，忽略此邮件即可，您不会被加入。\n`,
  }),
  en: (app: string, page: string) => ({
    subject: `Confirm that you test ${app}`,
    text: `Somebody, probably you, gave this address to test ${app}.\n\nOpen this page on your phone and confirm it within a day:\n${page}\n\nIf it was not you, ignore this mail: you are not taken in.\n`,
  }),
  ru: (app: string, page: string) => ({
    subject: `Подтвердите участие в тестировании: ${app}`,
    text: `Кто-то (вероятно, вы) указал этот адрес, чтобы тестировать приложение ${app}.\n\nОткройте эту страницу на телефоне и подтвердите участие в течение суток:\n${page}\n\nЕсли это были не вы, не отвечайте на письмо: вас не добавят.\n`,
  }),
} as const
