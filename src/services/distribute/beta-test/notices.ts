import { and, eq, lt } from 'drizzle-orm'
import type { Listener } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { activities, feedback } from './tables.ts'

/** Told of the first word that nobody has looked at yet: a flood of them is one notice. */
export const feedbackNotices: Listener = {
  name: 'betaTest.feedbackNotices',
  on: ['test.feedback'],
  run: async (ctx, event) => {
    const [row] = await ctx.db.select().from(feedback).where(eq(feedback.feedbackId, event.entityId))
    const [app] = row ? await appsOf(ctx, [row.appId]) : []
    if (!row || !app) return
    const isUnread = and(eq(feedback.appId, row.appId), eq(feedback.state, 'NEW'))
    const before = await ctx.db.$count(feedback, and(isUnread, lt(feedback.feedbackId, row.feedbackId)))
    if (before > 0) return
    const { appId, projectId, teamId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'betaTest.manage', about: { appId, projectId } },
      kind: event.type,
      category: 'operations',
      entityId: event.entityId,
      href: `/apps/${appId}/feedback`,
      title: { zh: `${name} 收到测试反馈`, en: `A tester of ${name} wrote`, ru: `${name}: отзыв тестировщика` },
      text: {
        zh: '测试人员提交了新的反馈。',
        en: 'There is something to read on the page of feedback.',
        ru: 'На странице отзывов есть новое сообщение.',
      },
    })
  },
}

export const activityNotices: Listener = {
  name: 'betaTest.activityNotices',
  on: ['activity.ended'],
  run: async (ctx, event) => {
    const [row] = await ctx.db.select().from(activities).where(eq(activities.activityId, event.entityId))
    const [app] = row ? await appsOf(ctx, [row.appId]) : []
    if (!row || !app) return
    const { appId, projectId, teamId, name } = app
    await notify(ctx, {
      to: { teamId, permission: 'betaTest.manage', about: { appId, projectId } },
      kind: event.type,
      category: 'operations',
      entityId: event.entityId,
      href: `/apps/${appId}/activities`,
      title: {
        zh: `${name} 的众测活动已结束`,
        en: `An activity of ${name} is over`,
        ru: `${name}: набор тестировщиков завершён`,
      },
      text: {
        zh: `已招募 ${row.joined} 人，共需 ${row.quota} 人。`,
        en: `${row.joined} of ${row.quota} people joined.`,
        ru: `Набрано ${row.joined} из ${row.quota}.`,
      },
    })
  },
}
