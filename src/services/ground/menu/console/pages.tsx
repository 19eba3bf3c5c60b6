import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/menu', [
  {
    path: '/services',
    title: { zh: '服务目录', en: 'Services', ru: 'Сервисы' },
    group: 'ground',
    face: 'developer',
    menu: { order: 80 },
    load: () => import('./ServicesPage.tsx'),
  },
  {
    path: '/announcements',
    title: { zh: '公告', en: 'Announcements', ru: 'Объявления' },
    group: 'ground',
    face: 'developer',
    menu: { order: 85 },
    load: () => import('./AnnouncementsPage.tsx'),
  },
  {
    path: '/announcements/$announcementId',
    title: { zh: '公告', en: 'Announcement', ru: 'Объявление' },
    group: 'ground',
    face: 'developer',
    crumbs: '/announcements',
    load: () => import('./AnnouncementPage.tsx'),
  },
  {
    path: '/operate/announcements',
    title: { zh: '公告管理', en: 'Write announcements', ru: 'Публикация объявлений' },
    group: 'operate',
    face: 'reviewer',
    menu: { order: 10 },
    may: 'menu.announce',
    load: () => import('./WrittenPage.tsx'),
  },
  {
    path: '/operate/billboard',
    title: { zh: '首页推荐位', en: 'Billboard', ru: 'Рекламный щит' },
    group: 'operate',
    face: 'reviewer',
    menu: { order: 20 },
    may: 'menu.announce',
    load: () => import('./BillboardPage.tsx'),
  },
])
