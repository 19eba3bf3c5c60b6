import type { SheetFormat } from '../../../../kernel/cells.ts'
import { isoInstant } from '../../../../kernel/dates.ts'
import type { Language, LocalText } from '../../../../kernel/language.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { rowsOfPages, spreadsheet } from '../../../../server/spreadsheet.ts'
import { loadTeam, type MemberRow, ownRolesOf } from '../queries.ts'
import type { MemberStatus, TeamRole } from '../rules.ts'
import { type MemberWish, pageOfMembers } from './list.ts'

const pageSize = 1_000

const columns: Readonly<Record<Language, readonly string[]>> = {
  zh: ['账号 ID', '姓名', '账号', '角色', '范围', '项目', '应用', '状态', '加入时间（UTC）'],
  en: ['Account id', 'Name', 'Account', 'Roles', 'Scope', 'Projects', 'Apps', 'Status', 'Joined (UTC)'],
  ru: [
    'ID учётной записи',
    'Имя',
    'Учётная запись',
    'Роли',
    'Область',
    'Проекты',
    'Приложения',
    'Статус',
    'В команде с (UTC)',
  ],
}

const roleNames: Readonly<Record<TeamRole, LocalText>> = {
  leader: { zh: '负责人', en: 'Leader', ru: 'Руководитель' },
  administrator: { zh: '管理员', en: 'Administrator', ru: 'Администратор' },
  appAdmin: { zh: '应用管理员', en: 'App administrator', ru: 'Администратор приложений' },
  developer: { zh: '开发者', en: 'Developer', ru: 'Разработчик' },
  operations: { zh: '运营', en: 'Operations', ru: 'Операции' },
  marketing: { zh: '市场', en: 'Marketing', ru: 'Маркетинг' },
  finance: { zh: '财务', en: 'Finance', ru: 'Финансы' },
  customerService: { zh: '客服', en: 'Customer service', ru: 'Поддержка' },
  analyst: { zh: '分析师', en: 'Analyst', ru: 'Аналитик' },
}

const statuses: Readonly<Record<MemberStatus, LocalText>> = {
  active: { zh: '正常', en: 'Active', ru: 'Активен' },
  suspended: { zh: '已暂停', en: 'Suspended', ru: 'Приостановлен' },
  removed: { zh: '已移除', en: 'Removed', ru: 'Удалён' },
}

const wholeTeam: LocalText = { zh: '整个团队', en: 'Whole team', ru: 'Вся команда' }
const someThings: LocalText = { zh: '部分项目和应用', en: 'Some projects and apps', ru: 'Часть проектов и приложений' }

type Wish = MemberWish & { format: SheetFormat; language?: Language }

/** The members of a list as a file; each page of them is read in a transaction of its own, when the one before was sent. */
export async function exportMembers(ctx: Context, { format, language, ...wish }: Wish): Promise<Download> {
  const spoken = language ?? ctx.place.language
  const { leaderAccountId } = await loadTeam(ctx)
  const ownRoles = new Map((await ownRolesOf(ctx)).map(role => [role.roleId, role.name]))
  const nameOf = (role: string) => roleNames[role as TeamRole]?.[spoken] ?? ownRoles.get(role) ?? role
  const read = (cursor: string | undefined) =>
    ctx.transact(inner =>
      pageOfMembers(inner, { ...wish, pageSize, ...(cursor !== undefined && { cursor }) }, leaderAccountId),
    )
  const rowOf = ({ accountId, name, loginName, roles, scope, status, joinedAt }: MemberRow) => [
    accountId,
    name,
    loginName,
    (accountId === leaderAccountId ? ['leader'] : roles).map(nameOf).join(', '),
    'all' in scope ? wholeTeam[spoken] : someThings[spoken],
    'all' in scope ? null : scope.projects.join(' '),
    'all' in scope ? null : scope.apps.join(' '),
    statuses[status][spoken],
    isoInstant(joinedAt),
  ]
  ctx.audit({ action: 'member.export', entity: 'team', entityId: ctx.teamId, after: { format } }, 'home')
  return spreadsheet(format, {
    fileName: `members-${isoInstant(ctx.now()).slice(0, 10)}`,
    columns: columns[spoken],
    rows: rowsOfPages(read, rowOf),
  })
}
