import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/notices', [
  {
    path: '/notices',
    title: { zh: '通知', en: 'Notices', ru: 'Уведомления' },
    group: 'ground',
    face: 'developer',
    isPersonal: true,
    load: () => import('./InboxPage.tsx'),
  },
  {
    path: '/notices/settings',
    title: { zh: '通知设置', en: 'Notice settings', ru: 'Настройки уведомлений' },
    group: 'ground',
    face: 'developer',
    isPersonal: true,
    crumbs: '/notices',
    load: () => import('./SettingsPage.tsx'),
  },
  {
    path: '/unsubscribe',
    title: { zh: '停止邮件', en: 'Stop mails', ru: 'Отписка от писем' },
    group: 'ground',
    face: 'visitor',
    load: () => import('./UnsubscribePage.tsx'),
  },
  {
    path: '/mails',
    title: { zh: '邮件（开发）', en: 'Mails (development)', ru: 'Письма (разработка)' },
    group: 'operate',
    face: 'reviewer',
    menu: { order: 90 },
    may: 'notices.mails',
    load: () => import('./mails/MailsPage.tsx'),
  },
  {
    path: '/mails/$mailId',
    title: { zh: '邮件', en: 'Mail', ru: 'Письмо' },
    group: 'operate',
    face: 'reviewer',
    may: 'notices.mails',
    crumbs: '/mails',
    load: () => import('./mails/MailPage.tsx'),
  },
])
