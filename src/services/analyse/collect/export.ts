import type { Cell } from '../../../kernel/cells.ts'
import type { Input } from '../../../kernel/contract.ts'
import type { Language, LocalText } from '../../../kernel/language.ts'
import type { Context } from '../../../server/context.ts'
import type { Download } from '../../../server/implement.ts'
import { rowsOfPages, spreadsheet } from '../../../server/spreadsheet.ts'
import type { collect } from './contract.ts'
import { rankedNames, useByDay } from './queries.ts'
import { dayOf } from './rules.ts'

type Wish = Input<(typeof collect.calls)['exportTeamUse']>['query']

const columns: Readonly<Record<Wish['sheet'], Readonly<Record<Language, readonly string[]>>>> = {
  day: {
    zh: ['日期（UTC）', '页面打开次数', '点击次数', '人数'],
    en: ['Day (UTC)', 'Pages opened', 'Clicks', 'People'],
    ru: ['День (UTC)', 'Открыто страниц', 'Нажатия', 'Люди'],
  },
  page: {
    zh: ['页面', '打开次数', '页面上的点击次数', '人数'],
    en: ['Page', 'Opened', 'Clicks on it', 'People'],
    ru: ['Страница', 'Открыта', 'Нажатий на ней', 'Люди'],
  },
  action: {
    zh: ['按钮', '点击次数', '人数'],
    en: ['Button', 'Clicks', 'People'],
    ru: ['Кнопка', 'Нажатия', 'Люди'],
  },
}
const others: LocalText = { zh: '其他名称', en: 'Other names', ru: 'Прочие названия' }
const pageSize = 1_000

/** Numbers of the whole team, never of one person. */
export async function exportTeamUse(ctx: Context, { sheet, days, format, language }: Wish): Promise<Download> {
  const spoken = language ?? ctx.place.language
  const asked = days === undefined ? {} : { days }
  const rows = sheet === 'day' ? dayRows(ctx, asked) : nameRows(ctx, { ...asked, kind: sheet }, others[spoken])
  return spreadsheet(format, {
    fileName: `console-use-${sheet}-${dayOf(ctx.now())}`,
    columns: columns[sheet][spoken],
    rows,
  })
}

async function* dayRows(ctx: Context, asked: { days?: number }): AsyncGenerator<Cell[], void, undefined> {
  const { list } = await ctx.transact(inner => useByDay(inner, asked, inner.teamId))
  for (const { day, views, clicks, visitors } of list) yield [day, views, clicks, visitors]
}

function nameRows(ctx: Context, asked: { days?: number; kind: 'page' | 'action' }, other: string) {
  const read = (cursor: string | undefined) =>
    ctx.transact(inner => rankedNames(inner, { ...asked, pageSize, ...(cursor !== undefined && { cursor }) }))
  return rowsOfPages(read, ({ name, isOther, views, clicks, visitors }): Cell[] => [
    isOther ? other : name,
    ...(asked.kind === 'page' ? [views] : []),
    clicks,
    visitors,
  ])
}
