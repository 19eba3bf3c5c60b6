import type { LocalText } from './rules.ts'

export interface Facts {
  team: string
  person: string
  /** For people: an address, a browser. */
  detail: string
}

interface Words {
  title: (facts: Facts) => LocalText
  text: (facts: Facts) => LocalText
}

const plain = (zh: string, en: string, ru: string) => () => ({ zh, en, ru })
const notYou = plain(
  '如果不是您本人操作，请立即修改密码并退出所有登录。',
  'If this was not you, change your password now and end all sessions.',
  'Если это были не вы, сразу смените пароль и завершите все сеансы.',
)

/** What the account's owner is told, by event. */
export const accountTexts: Readonly<Record<string, Words>> = {
  'session.password_changed': {
    title: plain('您的密码已修改', 'Your password was changed', 'Ваш пароль изменён'),
    text: notYou,
  },
  'session.new_device': {
    title: plain('您的账号在新设备上登录', 'Sign-in from a new device', 'Вход с нового устройства'),
    text: ({ detail }) => ({
      zh: `${detail}\n${notYou().zh}`,
      en: `${detail}\n${notYou().en}`,
      ru: `${detail}\n${notYou().ru}`,
    }),
  },
  'session.second_factor_changed': {
    title: plain('您的两步验证设置已更改', 'Your second factor was changed', 'Настройки второго фактора изменены'),
    text: notYou,
  },
  'session.locked': {
    title: plain(
      '登录因多次密码错误而暂停',
      'Sign-in is paused after wrong passwords',
      'Вход приостановлен из-за неверных паролей',
    ),
    text: plain(
      '有人多次输入错误的密码。您常用的设备仍可登录；如有疑问，请修改密码。',
      'Somebody typed wrong passwords several times. Your usual devices can still sign in; change your password if in doubt.',
      'Кто-то несколько раз ввёл неверный пароль. С ваших устройств вход работает; если сомневаетесь, смените пароль.',
    ),
  },
  'session.replayed': {
    title: plain('一个登录已因安全原因结束', 'A session was ended for safety', 'Сеанс завершён в целях безопасности'),
    text: plain(
      '有人使用了已失效的登录凭据，因此我们结束了该登录。请重新登录，并在不确定时修改密码。',
      'A credential that had been replaced was used again, so that session was ended. Sign in anew, and change your password if in doubt.',
      'Кто-то использовал уже заменённые данные входа, поэтому сеанс завершён. Войдите снова и при сомнениях смените пароль.',
    ),
  },
}

/** What the member that an event is about is told. */
export const memberTexts: Readonly<Record<string, Words>> = {
  'team.member_invited': {
    title: ({ team }) => ({
      zh: `您被邀请加入团队“${team}”`,
      en: `You are invited to the team ${team}`,
      ru: `Вас приглашают в команду «${team}»`,
    }),
    text: plain(
      '接受邀请后即可与该团队一起工作。',
      'Accept the invitation to work with this team.',
      'Примите приглашение, чтобы работать с этой командой.',
    ),
  },
  'team.member_removed': {
    title: ({ team }) => ({
      zh: `您已被移出团队“${team}”`,
      en: `You are no longer in the team ${team}`,
      ru: `Вы больше не в команде «${team}»`,
    }),
    text: plain(
      '您在该团队中的权限已结束；您的账号和其他团队不受影响。',
      'Your rights there have ended. Your account and your other teams stay as they are.',
      'Ваши права в ней закончились. Учётная запись и другие команды остаются.',
    ),
  },
  'team.member_suspended': {
    title: ({ team }) => ({
      zh: `您在团队“${team}”中的权限已暂停`,
      en: `Your rights in the team ${team} are suspended`,
      ru: `Ваши права в команде «${team}» приостановлены`,
    }),
    text: plain(
      '如有疑问，请联系团队负责人。',
      'Ask the leader of the team why.',
      'Причину знает руководитель команды.',
    ),
  },
  'team.member_restored': {
    title: ({ team }) => ({
      zh: `您在团队“${team}”中的权限已恢复`,
      en: `Your rights in the team ${team} are back`,
      ru: `Ваши права в команде «${team}» восстановлены`,
    }),
    text: plain('您可以继续工作。', 'You can go on working.', 'Можно продолжать работу.'),
  },
  'team.roles_changed': {
    title: ({ team }) => ({
      zh: `您在团队“${team}”中的角色已更改`,
      en: `Your roles in the team ${team} have changed`,
      ru: `Ваши роли в команде «${team}» изменились`,
    }),
    text: plain(
      '在“角色与权限”页面查看您现在可以做什么。',
      'The page Roles shows what you may do now.',
      'Что вам теперь доступно, видно на странице «Роли».',
    ),
  },
  'team.leader_offered': {
    title: ({ team }) => ({
      zh: `请您接任团队“${team}”的负责人`,
      en: `You are asked to lead the team ${team}`,
      ru: `Вам предлагают руководить командой «${team}»`,
    }),
    text: plain(
      '请在团队页面接受或拒绝。',
      'Accept or decline on the page of the team.',
      'Примите или отклоните предложение на странице команды.',
    ),
  },
  'team.leader_changed': {
    title: ({ team }) => ({
      zh: `您现在是团队“${team}”的负责人`,
      en: `You now lead the team ${team}`,
      ru: `Теперь вы руководите командой «${team}»`,
    }),
    text: plain('您拥有该团队的全部权限。', 'You hold every right in this team.', 'У вас все права в этой команде.'),
  },
}

/** What those who look after a team's members are told. */
export const keeperTexts: Readonly<Record<string, Words>> = {
  'team.member_joined': {
    title: ({ person, team }) => ({
      zh: `${person} 加入了团队“${team}”`,
      en: `${person} joined the team ${team}`,
      ru: `${person} теперь в команде «${team}»`,
    }),
    text: plain('在成员页面查看其角色。', 'The page Members shows the roles.', 'Роли видны на странице «Участники».'),
  },
  'team.leader_changed': {
    title: ({ person, team }) => ({
      zh: `团队“${team}”的负责人现在是 ${person}`,
      en: `${person} now leads the team ${team}`,
      ru: `Командой «${team}» теперь руководит ${person}`,
    }),
    text: plain(
      '如果这出乎您的意料，请联系新旧负责人。',
      'If this surprises you, ask the old and the new leader.',
      'Если это неожиданно, спросите прежнего и нового руководителя.',
    ),
  },
}
