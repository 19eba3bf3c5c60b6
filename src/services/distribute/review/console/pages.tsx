import { pagesOf } from '../../../../console/page-spec.ts'

const words = (raw: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.filter(name => typeof raw[name] === 'string').map(name => [name, raw[name]]))

export const pages = pagesOf('distribute/review', [
  {
    path: '/apps/$appId/submission',
    title: { zh: '审核沟通', en: 'Review', ru: 'Рассмотрение' },
    group: 'distribute',
    face: 'developer',
    may: 'versions.read',
    crumbs: '/apps/$appId',
    search: raw => words(raw, ['versionId', 'submissionId']),
    load: () => import('./thread/SubmissionPage.tsx'),
  },
  {
    path: '/submissions',
    title: { zh: '提交记录', en: 'Submissions', ru: 'На проверке' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 20 },
    may: 'versions.read',
    search: raw => words(raw, ['state', 'page', 'cursor']),
    load: () => import('./list/SubmissionsPage.tsx'),
  },
  {
    path: '/desk/sensitive',
    title: { zh: '双人审核', en: 'Two reviewers', ru: 'Два рецензента' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 30 },
    may: 'review.read',
    search: raw => words(raw, ['zone', 'page', 'cursor']),
    load: () => import('./desk/SensitivePage.tsx'),
  },
  {
    path: '/desk',
    title: { zh: '审核工作台', en: 'Review desk', ru: 'Стол рецензента' },
    group: 'distribute',
    face: 'reviewer',
    menu: { order: 10 },
    may: 'review.read',
    search: raw => words(raw, ['view', 'zone', 'queue', 'mine', 'q', 'sort', 'page', 'cursor']),
    load: () => import('./desk/DeskPage.tsx'),
  },
  {
    path: '/desk/$taskId',
    title: { zh: '审核任务', en: 'Task', ru: 'Задание' },
    group: 'distribute',
    face: 'reviewer',
    may: 'review.read',
    crumbs: '/desk',
    search: raw => words(raw, ['zone', 'part']),
    load: () => import('./desk/TaskPage.tsx'),
  },
])
