import type { TemplateKind, TemplateLanguage } from './rules.ts'

export interface TemplateText {
  subject: string
  body: string
}

/** What goes out while a project has no text of its own. */
export const defaultTemplates: Readonly<Record<TemplateKind, Readonly<Record<TemplateLanguage, TemplateText>>>> = {
  VERIFY_EMAIL: {
    zh: {
      subject: '{{app}} 验证码',
      body: '您的验证码是 {{code}}，{{minutes}} 分钟内有效。若非本人操作，请忽略此邮件。',
    },
    en: {
      subject: 'Your {{app}} code',
      body: 'Your code is {{code}}. It is good for {{minutes}} minutes. If you did not ask for it, ignore this mail.',
    },
    ru: {
      subject: 'Код подтверждения {{app}}',
      body: 'Ваш код: {{code}}. Он действует {{minutes}} мин. Если вы его не запрашивали, не обращайте внимания на это письмо.',
    },
  },
  RESET: {
    zh: {
      subject: '重置 {{app}} 密码',
      body: '用于重置密码的验证码是 {{code}}，{{minutes}} 分钟内有效。若非本人操作，您的密码不会改变。',
    },
    en: {
      subject: 'Reset your {{app}} password',
      body: 'The code to set a new password is {{code}}. It is good for {{minutes}} minutes. If you did not ask for it, your password stays as it is.',
    },
    ru: {
      subject: 'Сброс пароля {{app}}',
      body: 'Код для смены пароля: {{code}}. Он действует {{minutes}} мин. Если вы его не запрашивали, пароль не изменится.',
    },
  },
  SMS_CODE: {
    zh: { subject: '', body: '【{{app}}】验证码 {{code}}，{{minutes}} 分钟内有效，请勿泄露。' },
    en: { subject: '', body: '{{app}}: your code is {{code}}, good for {{minutes}} minutes. Tell it to nobody.' },
    ru: { subject: '', body: '{{app}}: код {{code}}, действует {{minutes}} мин. Никому его не сообщайте.' },
  },
  WELCOME: {
    zh: { subject: '欢迎使用 {{app}}', body: '{{name}}，您好！您的账号已创建。如有疑问，请联系 {{support}}。' },
    en: {
      subject: 'Welcome to {{app}}',
      body: 'Hello {{name}}, your account is ready. Questions? Write to {{support}}.',
    },
    ru: {
      subject: 'Добро пожаловать в {{app}}',
      body: 'Здравствуйте, {{name}}! Ваша учётная запись создана. Вопросы? Пишите: {{support}}.',
    },
  },
}
