import { pagesOf, words } from '../../../../console/page-spec.ts'

export const pages = pagesOf('distribute/harmony', [
  {
    path: '/harmony-signing',
    title: { zh: 'HarmonyOS 签名', en: 'HarmonyOS signing', ru: 'Подпись HarmonyOS' },
    group: 'distribute',
    face: 'developer',
    menu: { order: 46 },
    may: 'harmony.read',
    search: raw => words(raw, ['tab', 'q', 'type', 'state', 'app', 'page', 'cursor']),
    load: () => import('./HarmonyPage.tsx'),
  },
])
