import { inArray } from 'drizzle-orm'
import type { LocalText } from '../../../kernel/language.ts'
import type { Context } from '../../../server/context.ts'
import type { Handover } from '../../../server/handover.ts'
import type { Event, Work } from '../../../server/work.ts'
import { releaseObjects } from '../../ground/files/public.ts'
import { notify } from '../../ground/notices/public.ts'
import { appsOf } from '../apps/public.ts'
import { recordals } from './tables.ts'

/** A filing names who filed: the new team files anew, and nothing of the old one is told. */
const handover: Handover = {
  stays: { app_recordals: 'it names the old company, so it is deleted' },
  zone: async (ctx, { appIds, fromTeamId, toTeamId }) => {
    if (fromTeamId !== toTeamId) await drop(ctx, appIds)
  },
}

export default {
  handover,
  listeners: [
    { name: 'recordal.notices', on: ['recordal.checked'], run: tell },
    { name: 'recordal.purge', on: ['app.purged'], run: (ctx, event) => drop(ctx, [event.entityId]) },
  ],
} satisfies Work

async function drop(ctx: Context, appIds: readonly string[]): Promise<void> {
  const gone = await ctx.db
    .delete(recordals)
    .where(inArray(recordals.appId, [...appIds]))
    .returning()
  await releaseObjects(
    ctx,
    gone.flatMap(row => row.evidence.map(one => one.objectId)),
  )
}

const results: Readonly<Record<string, LocalText>> = {
  MATCH: { zh: '备案信息一致', en: 'The filing fits', ru: 'Регистрация подтверждена' },
  MISMATCH: { zh: '备案信息不一致', en: 'The filing does not fit', ru: 'Регистрация не совпадает' },
  NOT_FOUND: { zh: '未查到备案', en: 'The filing was not found', ru: 'Регистрация не найдена' },
  EXPIRED: { zh: '备案已失效', en: 'The filing counts no more', ru: 'Регистрация больше не действует' },
}

async function tell(ctx: Context, event: Event): Promise<void> {
  const [app] = await appsOf(ctx, [event.entityId])
  const result = results[String(event.data['to'])]
  // Whoever filed a moment ago sees the answer of a program on the page.
  if (!app || !result || event.actor.startsWith('system')) return
  const { appId, projectId, teamId, name } = app
  await notify(ctx, {
    to: { teamId, permission: 'recordal.edit', about: { appId, projectId } },
    category: 'review',
    kind: event.type,
    entityId: appId,
    href: `/apps/${appId}/recordal`,
    title: { zh: `${name}：${result.zh}`, en: `${name}: ${result.en}`, ru: `${name}: ${result.ru}` },
    text: {
      zh: '网络应用在中国内地上架需要一致的备案。',
      en: 'An app with a network needs a filing that fits to go on shelf in mainland China.',
      ru: 'Для публикации сетевого приложения в материковом Китае нужна подтверждённая регистрация.',
    },
  })
}
