import { pagesOf, words } from '../../../../console/page-spec.ts'

const page = { group: 'build', face: 'developer', may: 'storage.read' } as const

export const pages = pagesOf('build/storage', [
  {
    path: '/storage',
    title: { zh: '云存储', en: 'Cloud storage', ru: 'Облачное хранилище' },
    ...page,
    menu: { order: 20 },
    search: raw => words(raw, ['projectId', 'tab']),
    load: () => import('./StoragePage.tsx'),
  },
  {
    path: '/storage/$bucketId',
    title: { zh: '存储桶', en: 'Bucket', ru: 'Корзина' },
    ...page,
    crumbs: '/storage',
    search: raw => words(raw, ['projectId', 'tab', 'prefix', 'q']),
    load: () => import('./bucket/BucketPage.tsx'),
  },
  {
    path: '/desk/storage',
    title: { zh: '云存储等级', en: 'Cloud storage levels', ru: 'Уровни облачного хранилища' },
    group: 'build',
    face: 'reviewer',
    menu: { order: 20 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'level', 'q', 'sort', 'page', 'cursor']),
    load: () => import('./staff/ServicesPage.tsx'),
  },
])
