import type { TemplateLanguage } from '../rules.ts'

export interface PageWords {
  signIn: string
  register: string
  reset: string
  name: string
  email: string
  phone: string
  password: string
  newPassword: string
  code: string
  sendCode: string
  codeSent: string
  resetDone: string
  toSignIn: string
  toRegister: string
  toReset: string
  terms: string
  privacy: string
  goesTo: string
  closed: string
  language: string
  over: string
  wrong: string
  factor: string
  factorCode: string
  again: string
  by: string
  enrol: string
  enrolText: string
  picture: string
  key: string
  firstCode: string
  codes: string
  codesText: string
  goOn: string
  refused: Readonly<Record<number, string>>
}

/** The words of the hosted page; refusals by their number. */
export const pageWords: Readonly<Record<TemplateLanguage, PageWords>> = {
  en: {
    signIn: 'Sign in',
    register: 'Create an account',
    reset: 'Set a new password',
    name: 'E-mail address or phone number (+cc-number)',
    email: 'E-mail address',
    phone: 'Phone number (+cc-number)',
    password: 'Password',
    newPassword: 'New password',
    code: 'Code of six digits',
    sendCode: 'Send a code',
    codeSent: 'If the address can get one, a code is on its way. It is good for five minutes.',
    resetDone: 'The password is set. Sign in with it.',
    toSignIn: 'I have an account',
    toRegister: 'I have no account yet',
    toReset: 'I forgot my password',
    terms: 'Terms of use',
    privacy: 'Privacy notice',
    goesTo: 'You go back to {place}',
    closed: 'This page cannot sign anybody in: the app or the address it named is not known here.',
    language: 'Language',
    over: 'This page was open for too long, or in another browser. Go back to the app and begin again.',
    wrong: 'That did not work. Try again.',
    factor: 'Second step',
    factorCode: 'Code of your authenticator app, or a recovery code',
    again: 'Begin again',
    by: 'Continue with {provider}',
    enrol: 'Add a second step',
    enrolText:
      'This app asks everybody for a second step. Scan the picture with an authenticator app, or type the key into it, and write the first code it shows.',
    picture: 'Picture of the key for an authenticator app',
    key: 'The key',
    firstCode: 'First code of the authenticator app',
    codes: 'Recovery codes',
    codesText:
      'Keep these codes in a safe place. Each of them signs you in once when the authenticator app is not at hand. They are not shown again.',
    goOn: 'I kept them, go on to the app',
    refused: {
      203817223: 'The e-mail address is not one.',
      203817224: 'The phone number is not one; write it as +cc-number.',
      203818001: 'The code is wrong or over; ask for a new one.',
      203818002: 'A code was sent a moment ago; wait a little before you ask again.',
      203818003: 'There is an account with this address already; sign in instead.',
      203818004: 'The name or the password is wrong.',
      203818005: 'The password is too short, too simple or too well known.',
      203818006: 'Too many wrong tries from here; wait a quarter of an hour, or set a new password by a code.',
      203818008: 'This way of signing in is off.',
      203818012: 'This account is disabled; ask those who run the app.',
      203818013: 'No more text messages go out now; use an e-mail address.',
      203818018: 'Signing in is off in this app.',
      203818020: 'No text messages go to this country.',
      203818021: 'Write a password.',
      203818024: 'The code is wrong or was used; wait for the next one.',
      203818009: 'The other account was not accepted; try again.',
      203818025: 'That took too long; sign in again.',
    },
  },
  zh: {
    signIn: '登录',
    register: '创建帐号',
    reset: '设置新密码',
    name: '邮箱地址或手机号（+国家码-号码）',
    email: '邮箱地址',
    phone: '手机号（+国家码-号码）',
    password: '密码',
    newPassword: '新密码',
    code: '六位验证码',
    sendCode: '发送验证码',
    codeSent: '如果该地址可以接收，验证码已发出，五分钟内有效。',
    resetDone: '密码已设置，请用新密码登录。',
    toSignIn: '我已有帐号',
    toRegister: '我还没有帐号',
    toReset: '忘记密码',
    terms: '使用条款',
    privacy: '隐私声明',
    goesTo: '登录后返回 {place}',
    closed: '此页面无法登录：应用或其给出的返回地址未在此登记。',
    language: '语言',
    over: '页面打开时间过长，或换了浏览器。请回到应用重新开始。',
    wrong: '操作未成功，请重试。',
    factor: '第二步验证',
    factorCode: '身份验证器应用中的验证码，或恢复码',
    again: '重新开始',
    by: '使用 {provider} 继续',
    enrol: '添加第二步验证',
    enrolText:
      '此应用要求所有用户启用第二步验证。请用身份验证器应用扫描图片，或手动输入密钥，然后填写它显示的第一个验证码。',
    picture: '供身份验证器应用扫描的密钥图片',
    key: '密钥',
    firstCode: '身份验证器应用的第一个验证码',
    codes: '恢复码',
    codesText: '请妥善保存这些恢复码。身份验证器不在手边时，每个码可登录一次。之后不再显示。',
    goOn: '已保存，返回应用',
    refused: {
      203817223: '邮箱地址不正确。',
      203817224: '手机号不正确，请按 +国家码-号码 填写。',
      203818001: '验证码错误或已失效，请重新获取。',
      203818002: '刚刚发送过验证码，请稍后再试。',
      203818003: '该地址已有帐号，请直接登录。',
      203818004: '用户名或密码错误。',
      203818005: '密码太短、太简单或太常见。',
      203818006: '此处错误次数过多，请十五分钟后再试，或通过验证码设置新密码。',
      203818008: '此登录方式未开启。',
      203818012: '该帐号已停用，请联系应用运营方。',
      203818013: '暂时无法发送短信，请使用邮箱地址。',
      203818018: '此应用的登录已关闭。',
      203818020: '不支持向该国家发送短信。',
      203818021: '请填写密码。',
      203818024: '验证码错误或已使用，请等待下一个。',
      203818009: '第三方帐号未通过验证，请重试。',
      203818025: '操作超时，请重新登录。',
    },
  },
  ru: {
    signIn: 'Войти',
    register: 'Создать учётную запись',
    reset: 'Задать новый пароль',
    name: 'Адрес эл. почты или номер телефона (+код-номер)',
    email: 'Адрес эл. почты',
    phone: 'Номер телефона (+код-номер)',
    password: 'Пароль',
    newPassword: 'Новый пароль',
    code: 'Код из шести цифр',
    sendCode: 'Отправить код',
    codeSent: 'Если на этот адрес можно отправить код, он уже в пути. Код действует пять минут.',
    resetDone: 'Пароль задан. Войдите с ним.',
    toSignIn: 'У меня есть учётная запись',
    toRegister: 'У меня ещё нет учётной записи',
    toReset: 'Я забыл пароль',
    terms: 'Условия использования',
    privacy: 'Политика конфиденциальности',
    goesTo: 'После входа вы вернётесь на {place}',
    closed: 'Здесь нельзя войти: приложение или названный им адрес не зарегистрированы.',
    language: 'Язык',
    over: 'Страница была открыта слишком долго или в другом браузере. Вернитесь в приложение и начните заново.',
    wrong: 'Не получилось. Попробуйте ещё раз.',
    factor: 'Второй шаг',
    factorCode: 'Код из приложения-аутентификатора или код восстановления',
    again: 'Начать заново',
    by: 'Продолжить через {provider}',
    enrol: 'Добавьте второй шаг',
    enrolText:
      'В этом приложении второй шаг нужен каждому. Отсканируйте картинку приложением-аутентификатором или введите в него ключ и напишите первый код, который оно покажет.',
    picture: 'Картинка с ключом для приложения-аутентификатора',
    key: 'Ключ',
    firstCode: 'Первый код из приложения-аутентификатора',
    codes: 'Коды восстановления',
    codesText:
      'Сохраните эти коды. Каждый позволит войти один раз, если приложения-аутентификатора нет под рукой. Больше они не показываются.',
    goOn: 'Коды сохранены, вернуться в приложение',
    refused: {
      203817223: 'Это не адрес эл. почты.',
      203817224: 'Это не номер телефона; напишите его как +код-номер.',
      203818001: 'Код неверен или устарел; запросите новый.',
      203818002: 'Код только что отправлен; подождите немного.',
      203818003: 'Учётная запись с этим адресом уже есть; войдите.',
      203818004: 'Имя или пароль неверны.',
      203818005: 'Пароль слишком короткий, простой или известный.',
      203818006: 'Слишком много неверных попыток; подождите четверть часа или задайте пароль по коду.',
      203818008: 'Этот способ входа выключен.',
      203818012: 'Учётная запись отключена; обратитесь к тем, кто ведёт приложение.',
      203818013: 'Сообщения сейчас не отправляются; используйте эл. почту.',
      203818018: 'Вход в этом приложении выключен.',
      203818020: 'В эту страну сообщения не отправляются.',
      203818021: 'Напишите пароль.',
      203818024: 'Код неверен или уже использован; дождитесь следующего.',
      203818009: 'Другая учётная запись не принята; попробуйте ещё раз.',
      203818025: 'Прошло слишком много времени; войдите снова.',
    },
  },
}

export const languageNames: Readonly<Record<TemplateLanguage, string>> = { zh: '中文', en: 'English', ru: 'Русский' }
