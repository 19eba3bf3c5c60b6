import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/comments', [
  {
    path: '/apps/$appId/comments',
    title: { zh: '评论', en: 'Comments', ru: 'Отзывы' },
    group: 'distribute',
    face: 'developer',
    may: 'comments.read',
    crumbs: '/apps/$appId',
    search: raw =>
      words(raw, ['q', 'stars', 'replied', 'version', 'country', 'language', 'kind', 'order', 'page', 'cursor']),
    load: () => import('./CommentsPage.tsx'),
  },
  {
    path: '/desk/comments',
    title: { zh: '评论举报', en: 'Reported comments', ru: 'Жалобы на отзывы' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 37 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'state', 'policy', 'page', 'cursor']),
    load: () => import('./CommentDeskPage.tsx'),
  },
])
