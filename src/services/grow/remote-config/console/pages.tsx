import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('grow/remote-config', [
  {
    path: '/remote-config',
    title: { zh: '远程配置', en: 'Remote config', ru: 'Удалённая настройка' },
    group: 'grow',
    face: 'developer',
    menu: { order: 10 },
    may: 'remoteConfig.read',
    search: raw =>
      words(raw, [
        'projectId',
        'zone',
        'kind',
        'tab',
        'page',
        'cursor',
        'q',
        'group',
        'type',
        'condition',
        'show',
        'state',
        'request',
        'rollout',
      ]),
    load: () => import('./RemoteConfigPage.tsx'),
    texts: ['kit/conditions'],
  },
])
