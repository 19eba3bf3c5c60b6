import type { Category, LocalText } from './rules.ts'

export interface Facts {
  team: string
  person: string
  /** For people: an address, a browser. */
  detail: string
}

export interface Words {
  title: (facts: Facts) => LocalText
  text: (facts: Facts) => LocalText
  /** Left out: security. */
  category?: Category
  /** Where it is looked at; left out, the page of the account's safety. */
  href?: string
}

const plain = (zh: string, en: string, ru: string) => () => ({ zh, en, ru })
const notYou = plain(
  '如果不是您本人操作，请立即修改密码并退出所有登录。',
  'If this was not you, change your password now and end all sessions.',
  'Если это были не вы, сразу смените пароль и завершите все сеансы.',
)

/** A sentence of ours after what somebody wrote, where he did. */
const after =
  (words: () => LocalText): Words['text'] =>
  ({ detail }) => {
    const { zh, en, ru } = words()
    return detail === '' ? { zh, en, ru } : { zh: `${detail}\n${zh}`, en: `${detail}\n${en}`, ru: `${detail}\n${ru}` }
  }

/** What the account's owner is told, by event, or by event and the state it led to. */
export const accountTexts: Readonly<Record<string, Words>> = {
  'session.password_changed': {
    title: plain('您的密码已修改', 'Your password was changed', 'Ваш пароль изменён'),
    text: notYou,
  },
  'session.new_device': {
    title: plain('您的账号在新设备上登录', 'Sign-in from a new device', 'Вход с нового устройства'),
    text: after(notYou),
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
  'session.email_changed': {
    title: plain('您的邮箱地址已更改', 'Your e-mail address was changed', 'Адрес вашей почты изменён'),
    text: notYou,
  },
  'session.identity_linked': {
    title: plain('您的账号已关联新的登录方式', 'Another way to sign in was linked', 'Добавлен ещё один способ входа'),
    text: notYou,
  },
  'session.deletion_asked': {
    title: plain('您的账号已申请注销', 'Your account is to be deleted', 'Ваша учётная запись будет удалена'),
    text: plain(
      '如果不是您本人操作，或您改变了主意，请登录并撤销申请，并修改密码。',
      'If this was not you, or you think better of it, sign in, cancel it, and change your password.',
      'Если это были не вы или вы передумали, войдите, отмените удаление и смените пароль.',
    ),
  },
  'session.deletion_cancelled': {
    title: plain('您的账号不再注销', 'Your account stays', 'Учётная запись остаётся'),
    text: plain(
      '注销申请已撤销，一切保持不变。如果不是您本人操作，请修改密码。',
      'The deletion was cancelled and nothing has changed. If this was not you, change your password.',
      'Удаление отменено, всё осталось как было. Если это были не вы, смените пароль.',
    ),
  },
}

/** What was decided about somebody's account or application. */
export const decisionTexts: Readonly<Record<string, Words>> = {
  'session.status_changed 1': {
    title: plain('您的账号已恢复使用', 'Your account is open again', 'Ваша учётная запись снова открыта'),
    text: plain('您可以重新登录。', 'You can sign in again.', 'Можно снова войти.'),
  },
  'session.status_changed 2': {
    title: plain('您的账号已被锁定', 'Your account was locked', 'Ваша учётная запись заблокирована'),
    text: plain(
      '所有登录已结束。如有疑问，请联系支持人员。',
      'All sessions were ended. Ask support why.',
      'Все сеансы завершены. Причину объяснит поддержка.',
    ),
  },
  'session.status_changed 4': {
    title: plain('您的账号已被冻结', 'Your account was frozen', 'Ваша учётная запись заморожена'),
    text: plain(
      '所有登录已结束。如有疑问，请联系支持人员。',
      'All sessions were ended. Ask support why.',
      'Все сеансы завершены. Причину объяснит поддержка.',
    ),
  },
  ...Object.fromEntries(
    [2, 3].map(state => [
      `session.real_name_changed ${state}`,
      {
        title: plain('您的实名认证已通过', 'Your identity was verified', 'Ваша личность подтверждена'),
        text: plain(
          '需要实名认证的功能现已开放。',
          'What needs a verified identity is open to you now.',
          'Теперь доступно всё, для чего нужна проверка личности.',
        ),
        href: '/real-name',
      },
    ]),
  ),
  'session.real_name_changed 4': {
    title: plain('您的实名认证未通过', 'Your identity was not verified', 'Личность не подтверждена'),
    text: after(
      plain('请修改后重新提交。', 'Change what is said there and send it again.', 'Исправьте и отправьте снова.'),
    ),
    href: '/real-name',
  },
  'session.real_name_changed 5': {
    title: plain('您的证件已过期', 'Your identity document has expired', 'Срок вашего документа истёк'),
    text: plain(
      '请使用新证件重新认证。',
      'Verify your identity with a new one.',
      'Подтвердите личность новым документом.',
    ),
    href: '/real-name',
  },
  'support.accepted': {
    title: plain('您的支持申请已受理', 'Your application for support was accepted', 'Ваша заявка на поддержку принята'),
    text: after(plain('我们会尽快与您联系。', 'Somebody will contact you.', 'С вами свяжутся.')),
    category: 'operations',
    href: '/support',
  },
  'support.declined': {
    title: plain(
      '您的支持申请未被受理',
      'Your application for support was declined',
      'Ваша заявка на поддержку отклонена',
    ),
    text: after(plain('您可以再次申请。', 'You can apply again.', 'Её можно подать снова.')),
    category: 'operations',
    href: '/support',
  },
}

/** What those who look after a team's service providers are told; `person` is the other team. */
export const providerTexts: Readonly<Record<string, Words>> = {
  'team.provider_invited': {
    title: ({ person }) => ({
      zh: `团队“${person}”邀请您为其提供服务`,
      en: `The team ${person} asks you to serve it`,
      ru: `Команда «${person}» просит обслуживать её`,
    }),
    text: plain('请接受或拒绝。', 'Accept or decline it.', 'Примите или отклоните просьбу.'),
  },
  'team.provider_bound': {
    title: ({ person, team }) => ({
      zh: `“${team}”与“${person}”已建立服务关系`,
      en: `${team} and ${person} work together now`,
      ru: `«${team}» и «${person}» теперь работают вместе`,
    }),
    text: plain(
      '服务商现在可以为所服务的团队操作。',
      'The provider can work for the team it serves now.',
      'Исполнитель теперь может работать за обслуживаемую команду.',
    ),
  },
  'team.provider_declined': {
    title: ({ person, team }) => ({
      zh: `“${team}”与“${person}”的服务邀请被拒绝`,
      en: `The service of ${team} with ${person} was declined`,
      ru: `Обслуживание «${team}» и «${person}» отклонено`,
    }),
    text: plain('没有任何权限发生变化。', 'No rights have changed.', 'Права не изменились.'),
  },
  'team.provider_ended': {
    title: ({ person, team }) => ({
      zh: `“${team}”与“${person}”的服务关系已结束`,
      en: `The service of ${team} with ${person} has ended`,
      ru: `Обслуживание «${team}» и «${person}» закончено`,
    }),
    text: plain(
      '服务商不再拥有所服务团队的权限。',
      'The provider has no rights in the served team any more.',
      'У исполнителя больше нет прав в обслуживаемой команде.',
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
