import { pagesOf, words } from '../../../../console/page-spec.ts'

const search = (raw: Record<string, unknown>) => words(raw, ['projectId', 'tab'])

export const pages = pagesOf('build/functions', [
  {
    path: '/functions',
    title: { zh: '云函数', en: 'Cloud functions', ru: 'Облачные функции' },
    group: 'build',
    face: 'developer',
    menu: { order: 40 },
    may: 'functions.read',
    search,
    load: () => import('./FunctionsPage.tsx'),
  },
  {
    path: '/function-layers',
    title: { zh: '函数层', en: 'Function layers', ru: 'Слои функций' },
    group: 'build',
    face: 'developer',
    may: 'functions.read',
    crumbs: '/functions',
    search,
    load: () => import('./layers/LayersPage.tsx'),
  },
  {
    path: '/function-groups',
    title: { zh: '函数组', en: 'Function groups', ru: 'Группы функций' },
    group: 'build',
    face: 'developer',
    may: 'functions.read',
    crumbs: '/functions',
    search,
    load: () => import('./groups/GroupsPage.tsx'),
  },
  {
    path: '/functions/$functionId',
    title: { zh: '函数', en: 'Function', ru: 'Функция' },
    group: 'build',
    face: 'developer',
    may: 'functions.read',
    crumbs: '/functions',
    search,
    load: () => import('./FunctionPage.tsx'),
  },
])
