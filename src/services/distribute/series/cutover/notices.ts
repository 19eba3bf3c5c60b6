import { eq } from 'drizzle-orm'
import type { LocalText } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { appSeries } from '../tables.ts'

const started: LocalText = {
  zh: '商店现在只展示 HarmonyOS 版本。',
  en: 'The store shows the edition for HarmonyOS alone now.',
  ru: 'Теперь магазин показывает только версию для HarmonyOS.',
}
const notStarted: LocalText = {
  zh: '切换未生效：HarmonyOS 版本未在这些国家或地区上架。',
  en: 'The cutover did not start: no edition for HarmonyOS is on shelf there.',
  ru: 'Переход не начался: версия для HarmonyOS там не опубликована.',
}

/** Tells of what the clock did; whoever cancels one himself knows it. */
export async function tellOfCutover(ctx: Context, event: Event): Promise<void> {
  const isStart = event.type === 'cutover.started'
  if (!isStart && event.data['reason'] !== 'NO_HARMONY') return
  const [row] = await ctx.db
    .select({ name: appSeries.name, teamId: appSeries.teamId })
    .from(appSeries)
    .where(eq(appSeries.seriesId, String(event.data['seriesId'])))
  if (!row) return
  await notify(ctx, {
    to: { teamId: row.teamId, permission: 'series.edit' },
    category: 'operations',
    kind: event.type,
    entityId: event.entityId,
    href: '/series',
    title: { zh: row.name, en: row.name, ru: row.name },
    text: isStart ? started : notStarted,
  })
}
