import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))
const listWords = ['q', 'sort', 'page', 'cursor'] as const
const ticketWords = ['ticket', 'problem', 'done', 'token', 'keep', 'erases'] as const
const visitor = { group: 'ground', face: 'visitor' } as const
const search = (raw: Record<string, unknown>) => words(raw, ticketWords)

export const pages = pagesOf('ground/session', [
  {
    ...visitor,
    path: '/sign-in',
    title: { zh: '登录', en: 'Sign in', ru: 'Вход' },
    search,
    load: () => import('./visitor/SignInPage.tsx'),
  },
  {
    ...visitor,
    path: '/forgotten',
    title: { zh: '忘记密码', en: 'Forgotten password', ru: 'Забытый пароль' },
    load: () => import('./visitor/ForgottenPage.tsx'),
  },
  {
    ...visitor,
    path: '/reset',
    title: { zh: '设置新密码', en: 'New password', ru: 'Новый пароль' },
    search,
    load: () => import('./visitor/ResetPage.tsx'),
  },
  {
    ...visitor,
    path: '/sign-up',
    title: { zh: '注册', en: 'New account', ru: 'Регистрация' },
    load: () => import('./visitor/SignUpPage.tsx'),
  },
  {
    ...visitor,
    path: '/sign-up/finish',
    title: { zh: '完成注册', en: 'Finish your account', ru: 'Завершение регистрации' },
    search,
    load: () => import('./visitor/NewAccountPage.tsx'),
  },
  {
    ...visitor,
    path: '/set-up',
    title: { zh: '初始设置', en: 'Set up', ru: 'Первая настройка' },
    search,
    load: () => import('./visitor/NewAccountPage.tsx'),
  },
  {
    ...visitor,
    path: '/email',
    title: { zh: '验证邮箱', en: 'Confirm your address', ru: 'Подтверждение адреса' },
    search,
    load: () => import('./visitor/EmailPage.tsx'),
  },
  {
    path: '/security',
    title: { zh: '个人资料与安全', en: 'Profile and security', ru: 'Профиль и безопасность' },
    group: 'ground',
    face: 'developer',
    isPersonal: true,
    search,
    load: () => import('./profile/SecurityPage.tsx'),
  },
  {
    path: '/real-name',
    title: { zh: '实名认证', en: 'Real name', ru: 'Подтверждение личности' },
    group: 'ground',
    face: 'developer',
    isPersonal: true,
    load: () => import('./profile/RealNamePage.tsx'),
  },
  {
    path: '/manage/accounts',
    title: { zh: '账号', en: 'Accounts', ru: 'Учётные записи' },
    group: 'ground',
    face: 'reviewer',
    menu: { order: 60 },
    may: 'session.operate',
    search: raw => words(raw, [...listWords, 'status']),
    load: () => import('./staff/AccountsPage.tsx'),
  },
  {
    path: '/manage/account-deletions',
    title: { zh: '账号注销', en: 'Account deletions', ru: 'Удаление учётных записей' },
    group: 'ground',
    face: 'reviewer',
    menu: { order: 63 },
    may: 'session.operate',
    search: raw => words(raw, [...listWords, 'state']),
    load: () => import('./staff/DeletionsPage.tsx'),
  },
  {
    path: '/manage/real-names',
    title: { zh: '实名审核', en: 'Real names', ru: 'Проверка личностей' },
    group: 'ground',
    face: 'reviewer',
    menu: { order: 61 },
    may: 'session.review',
    search: raw => words(raw, [...listWords, 'state']),
    load: () => import('./staff/RealNamesPage.tsx'),
  },
  {
    path: '/manage/real-names/$accountId',
    title: { zh: '实名资料', en: 'Details', ru: 'Сведения' },
    group: 'ground',
    face: 'reviewer',
    may: 'session.review',
    crumbs: '/manage/real-names',
    load: () => import('./staff/RealNameCasePage.tsx'),
  },
  {
    path: '/manage/sign-in-providers',
    title: { zh: '登录提供方', en: 'Sign-in providers', ru: 'Провайдеры входа' },
    group: 'ground',
    face: 'reviewer',
    menu: { order: 62 },
    may: 'session.operate',
    search: raw => words(raw, listWords),
    load: () => import('./staff/ProvidersPage.tsx'),
  },
])
