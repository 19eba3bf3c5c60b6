/** The first row of an export, in the reader's language. */
export const exportColumns = {
  zh: ['UID', '昵称', '邮箱', '手机号', '登录方式', '状态', '创建时间', '最近登录'],
  en: ['UID', 'Name', 'E-mail', 'Phone', 'Ways in', 'State', 'Created', 'Last sign-in'],
  ru: ['UID', 'Имя', 'Эл. почта', 'Телефон', 'Способы входа', 'Состояние', 'Создан', 'Последний вход'],
} as const
