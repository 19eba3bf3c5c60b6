import { eq } from 'drizzle-orm'
import type { LocalText } from '../../../../kernel/language.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Listener } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { teamNamed } from '../../../ground/teams/public.ts'
import { appMoves } from '../tables.home.ts'

interface Told {
  title: LocalText
  text: LocalText
}
type Words = (apps: string, team: string) => Told

const open = { zh: '详情请见“应用转移”。', en: 'See App moves.', ru: 'Подробности — в разделе «Передача приложений».' }

/** What the team that gets the apps is told; `team` is the other one. */
const ofReceiver: Readonly<Record<string, Words>> = {
  'app.move.created': (apps, team) => ({
    title: {
      zh: `${team} 请求将 ${apps} 转移给您的团队`,
      en: `${team} wants to hand over ${apps}`,
      ru: `${team} передаёт вам: ${apps}`,
    },
    text: {
      zh: '团队负责人可在 60 天内接受或拒绝。',
      en: 'A leader can accept or refuse within 60 days.',
      ru: 'Руководитель может принять или отклонить в течение 60 дней.',
    },
  }),
  'app.move.canceled': (apps, team) => ({
    title: {
      zh: `${team} 已取消转移 ${apps}`,
      en: `${team} keeps ${apps} after all`,
      ru: `${team} отменила передачу: ${apps}`,
    },
    text: open,
  }),
  'app.move.failed': (apps, team) => ({
    title: {
      zh: `${apps} 未能从 ${team} 转移`,
      en: `${apps} could not be taken over from ${team}`,
      ru: `Не удалось принять от ${team}: ${apps}`,
    },
    text: open,
  }),
  'app.move.received': (apps, team) => ({
    title: {
      zh: `${apps} 已归您的团队`,
      en: `${apps} is with your team now`,
      ru: `Теперь у вашей команды: ${apps}`,
    },
    text: {
      zh: `转自 ${team}。请重新下载配置文件，并提交贵公司自己的资质。`,
      en: `It came from ${team}. Fetch new configuration files, and hand in papers of your own company.`,
      ru: `От ${team}. Получите новые файлы конфигурации и подайте документы своей компании.`,
    },
  }),
}

/** What the team that had them is told. */
const ofSender: Readonly<Record<string, Words>> = {
  'app.move.accepted': (apps, team) => ({
    title: { zh: `${team} 已接受 ${apps}`, en: `${team} takes ${apps}`, ru: `${team} принимает: ${apps}` },
    text: open,
  }),
  'app.move.refused': (apps, team) => ({
    title: { zh: `${team} 已拒绝 ${apps}`, en: `${team} does not want ${apps}`, ru: `${team} отказалась: ${apps}` },
    text: open,
  }),
  'app.move.expired': (apps, team) => ({
    title: {
      zh: `${team} 未在期限内答复，${apps} 仍归您`,
      en: `${team} did not answer in time; ${apps} stays with you`,
      ru: `${team} не ответила вовремя; остаётся у вас: ${apps}`,
    },
    text: open,
  }),
  'app.move.failed': (apps, team) => ({
    title: {
      zh: `${apps} 未能转移给 ${team}`,
      en: `${apps} could not go to ${team}`,
      ru: `Не удалось передать ${team}: ${apps}`,
    },
    text: open,
  }),
  'app.move.done': (apps, team) => ({
    title: { zh: `${apps} 已转移给 ${team}`, en: `${apps} went to ${team}`, ru: `Передано ${team}: ${apps}` },
    text: open,
  }),
}

/** The leaders of both teams hear of each step that the other one made. */
export const moveNotices: Listener = {
  name: 'apps.moveNotices',
  on: ['app.move.*'],
  run: async (ctx, event) => {
    const [row] = await ctx.home.select().from(appMoves).where(eq(appMoves.moveId, event.entityId))
    if (!row || row.fromTeamId === row.toTeamId) return
    const names = row.apps
      .map(app => app.name)
      .join(', ')
      .slice(0, 200)
    const sides = [
      { words: ofReceiver[event.type], teamId: row.toTeamId, otherId: row.fromTeamId },
      { words: ofSender[event.type], teamId: row.fromTeamId, otherId: row.toTeamId },
    ]
    for (const { words, teamId, otherId } of sides) {
      if (!words) continue
      const other = await teamNamed(ctx, otherId)
      await notify(ctx, {
        to: { teamId, permission: 'apps.move' },
        category: 'operations',
        kind: event.type,
        entityId: row.moveId,
        href: '/moves',
        there: { zone: row.zone as ZoneId, cause: `${event.eventId} ${teamId}` },
        ...words(names, other?.name ?? otherId),
      })
    }
  },
}
