import { fillSentence } from '../../../kernel/errors.ts'

export type MailLanguage = 'zh' | 'en' | 'ru'
export type MailKind = 'reset' | 'signUp' | 'hasAccount' | 'email' | 'emailMoved'

const texts: Readonly<Record<MailKind, Readonly<Record<MailLanguage, { subject: string; text: string }>>>> = {
  reset: {
    en: {
      subject: 'Choose a new password',
      text: 'Hello {name},\n\nsomebody, most likely you, asked for a new password of the account {loginName}. Choose one here within 30 minutes:\n\n{link}\n\nIf it was not you, do nothing: the password stays as it is.\n',
    },
    zh: {
      subject: '设置新密码',
      text: '{name}，您好：\n\n有人（很可能是您本人）申请为账号 {loginName} 设置新密码。请在 30 分钟内打开以下链接：\n\n{link}\n\n如果不是您本人操作，请忽略此邮件，密码不会改变。\n',
    },
    ru: {
      subject: 'Выберите новый пароль',
      text: 'Здравствуйте, {name}!\n\nКто-то, скорее всего вы, запросил новый пароль для учётной записи {loginName}. Задать его можно в течение 30 минут по ссылке:\n\n{link}\n\nЕсли это были не вы, ничего не делайте: пароль останется прежним.\n',
    },
  },
  signUp: {
    en: {
      subject: 'Finish your account',
      text: 'Hello,\n\nthis address was given for a new account. Finish it here within a day:\n\n{link}\n\nIf it was not you, do nothing: no account is made.\n',
    },
    zh: {
      subject: '完成账号注册',
      text: '您好：\n\n有人使用此邮箱注册新账号。请在一天内打开以下链接完成注册：\n\n{link}\n\n如果不是您本人操作，请忽略此邮件，不会创建账号。\n',
    },
    ru: {
      subject: 'Завершите регистрацию',
      text: 'Здравствуйте!\n\nЭтот адрес указали для новой учётной записи. Завершить регистрацию можно в течение суток по ссылке:\n\n{link}\n\nЕсли это были не вы, ничего не делайте: учётная запись не появится.\n',
    },
  },
  hasAccount: {
    en: {
      subject: 'You have an account already',
      text: 'Hello {name},\n\nsomebody, most likely you, wanted to make an account with this address. There is one: {loginName}. Sign in here, or choose a new password there:\n\n{link}\n',
    },
    zh: {
      subject: '您已有账号',
      text: '{name}，您好：\n\n有人（很可能是您本人）想用此邮箱注册账号。该邮箱已有账号：{loginName}。请在此登录，或在登录页找回密码：\n\n{link}\n',
    },
    ru: {
      subject: 'У вас уже есть учётная запись',
      text: 'Здравствуйте, {name}!\n\nКто-то, скорее всего вы, хотел создать учётную запись с этим адресом. Она уже есть: {loginName}. Войти или задать новый пароль можно здесь:\n\n{link}\n',
    },
  },
  email: {
    en: {
      subject: 'Confirm your address',
      text: 'Hello {name},\n\nthis address was given for the account {loginName}. Confirm it within a day:\n\n{link}\n\nIf you do not know that account, do nothing.\n',
    },
    zh: {
      subject: '验证邮箱地址',
      text: '{name}，您好：\n\n账号 {loginName} 填写了此邮箱。请在一天内打开以下链接完成验证：\n\n{link}\n\n如果您不认识该账号，请忽略此邮件。\n',
    },
    ru: {
      subject: 'Подтвердите адрес',
      text: 'Здравствуйте, {name}!\n\nЭтот адрес указали для учётной записи {loginName}. Подтвердите его в течение суток:\n\n{link}\n\nЕсли вы не знаете эту учётную запись, ничего не делайте.\n',
    },
  },
  emailMoved: {
    en: {
      subject: 'Your address was changed',
      text: 'Hello {name},\n\nthe account {loginName} has another e-mail address now; its mails no longer come here.\n\nIf it was not you, sign in, change the password and set the address back:\n\n{link}\n\nIf you cannot sign in any more, turn to the people who run this console.\n',
    },
    zh: {
      subject: '邮箱地址已更改',
      text: '{name}，您好：\n\n账号 {loginName} 已改用其他邮箱，此后的邮件不再发送到这里。\n\n如果不是您本人操作，请登录并修改密码，然后改回邮箱：\n\n{link}\n\n如果已无法登录，请联系本控制台的管理人员。\n',
    },
    ru: {
      subject: 'Адрес почты изменён',
      text: 'Здравствуйте, {name}!\n\nУ учётной записи {loginName} теперь другой адрес почты, письма сюда больше не приходят.\n\nЕсли это сделали не вы, войдите, смените пароль и верните адрес:\n\n{link}\n\nЕсли войти уже не удаётся, обратитесь к тем, кто управляет этой консолью.\n',
    },
  },
}

/** A mail's subject and text, with its values filled in. */
export function mailOf(
  kind: MailKind,
  language: MailLanguage,
  values: Readonly<Record<string, string>>,
): { subject: string; text: string } {
  const { subject, text } = texts[kind][language]
  return { subject, text: fillSentence(text, values) }
}
