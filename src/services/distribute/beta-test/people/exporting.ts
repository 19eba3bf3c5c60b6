import type { SheetFormat } from '../../../../kernel/cells.ts'
import { isoInstant } from '../../../../kernel/dates.ts'
import type { Language, LocalText } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { rowsOfPages, spreadsheet } from '../../../../server/spreadsheet.ts'
import { appOf } from '../../apps/public.ts'
import { toUsers } from '../answer.ts'
import { loadGroup, pageOfUsers, type UserWish } from '../queries.ts'
import type { UserState } from '../rules.ts'

/** The first three are named as an import reads them, so that a file can go back in. */
const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['account', 'nickname', 'group', '状态', '邀请时间（UTC）', '最近安装（UTC）', '加入时间（UTC）', '邀请地址'],
  en: [
    'account',
    'nickname',
    'group',
    'State',
    'Invited (UTC)',
    'Last install (UTC)',
    'Added (UTC)',
    'Page to pass on',
  ],
  ru: [
    'account',
    'nickname',
    'group',
    'Состояние',
    'Приглашён (UTC)',
    'Последняя установка (UTC)',
    'Добавлен (UTC)',
    'Страница приглашения',
  ],
}

const states: Readonly<Record<UserState, LocalText>> = {
  ADDED: { zh: '已添加', en: 'Added', ru: 'Добавлен' },
  INVITED: { zh: '已邀请', en: 'Invited', ru: 'Приглашён' },
  ACCEPTED: { zh: '已加入', en: 'Joined', ru: 'Участвует' },
  DECLINED: { zh: '已拒绝', en: 'Declined', ru: 'Отказался' },
  REMOVED: { zh: '已移除', en: 'Removed', ru: 'Удалён' },
  UNSUBSCRIBED: { zh: '已退出', en: 'Left', ru: 'Вышел' },
}

type Wish = Omit<UserWish, 'cursor' | 'pageSize'> & { appId: string; format: SheetFormat; language?: Language }

/** The people of a list as a file; each page is read in a transaction of its own. */
export async function exportUsers(ctx: Context, { format, language, ...wish }: Wish): Promise<Download> {
  const spoken = language ?? ctx.place.language
  const { groupId } = wish
  await ctx.transact(async inner => {
    await appOf(inner, wish.appId)
    if (groupId !== undefined) await loadGroup(inner, groupId)
  })
  const when = (at: number | null) => (at === null ? null : isoInstant(at))
  const read = (cursor: string | undefined) =>
    ctx.transact(async inner => {
      const page = await pageOfUsers(inner, { ...wish, pageSize: 1_000, ...(cursor !== undefined && { cursor }) })
      return { ...page, list: await toUsers(inner, page.list) }
    })
  return spreadsheet(format, {
    fileName: `testers-${isoInstant(ctx.now()).slice(0, 10)}`,
    columns: columns[spoken],
    rows: rowsOfPages(read, user => [
      ...[user.account, user.nickname, user.groupName, states[user.state][spoken]],
      ...[when(user.invitedAt), when(user.lastInstall), isoInstant(user.createTime), user.page],
    ]),
  })
}
