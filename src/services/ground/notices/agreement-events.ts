import { zoneOfSite } from '../../../kernel/zones.ts'
import type { Listener } from '../../../server/work.ts'
import { membersWith, teamNamed } from '../teams/public.ts'
import type { LocalText } from './rules.ts'
import { writeNotices } from './write.ts'

const texts: Readonly<Record<string, (title: string) => LocalText>> = {
  'developer_agreement.approved': title => ({
    zh: `协议“${title}”已通过审核`,
    en: `The agreement ${title} was approved`,
    ru: `Соглашение «${title}» одобрено`,
  }),
  'developer_agreement.rejected': title => ({
    zh: `协议“${title}”未通过审核`,
    en: `The agreement ${title} was rejected`,
    ru: `Соглашение «${title}» отклонено`,
  }),
}

const approved: LocalText = {
  zh: '协议将在设定的时间生效。',
  en: 'It comes into force at its date.',
  ru: 'Оно вступит в силу в назначенный срок.',
}

/** What became of an agreement that a team handed in, for those who write its agreements. */
export const agreementEvents: Listener = {
  name: 'notices.agreements',
  on: Object.keys(texts),
  run: async (ctx, event) => {
    const title = texts[event.type]
    const team = event.teamId ? await teamNamed(ctx, event.teamId) : null
    if (!title || !team) return
    const note = String(event.data['note'] ?? '')
    const ofTeam = zoneOfSite(team.siteId)
    const { zones } = ctx.server.config
    await writeNotices(ctx, zones.includes(ofTeam) ? ofTeam : ctx.zone, {
      accountIds: await membersWith(ctx, team.teamId, { permission: 'agreements.edit' }),
      category: 'review',
      kind: event.type,
      title: title(String(event.data['title'] ?? '')),
      text: note === '' ? approved : { zh: note, en: note, ru: note },
      href: `/team/agreements/${event.entityId}`,
      entityId: event.entityId,
      cause: `${event.type} ${event.eventId}`,
      ofTeamId: team.teamId,
    })
  },
}
