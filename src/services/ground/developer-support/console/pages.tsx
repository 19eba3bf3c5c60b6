import { pagesOf } from '../../../../console/page-spec.ts'

export const pages = pagesOf('ground/developer-support', [
  {
    path: '/support/contacts',
    title: { zh: '支持联系人', en: 'Support contacts', ru: 'Контакты для поддержки' },
    group: 'support',
    face: 'developer',
    menu: { order: 20 },
    may: 'support.contact',
    crumbs: '/support',
    load: () => import('./ContactsPage.tsx'),
  },
])
