import { service } from '../../../../kernel/contract.ts'
import { pattern, shape, text } from '../../../../kernel/shape.ts'

const anyoneDownloads = { method: 'GET', who: 'anonymous', may: 'none', rate: 'device', kind: 'download' } as const

const fileName = text(300, 1)
const picture = text(100, 1)
const packageName = text(255, 1)
const locale = text(20, 1)
const folder = pattern('^icons(-[0-9]{1,4})?$', 12, 'icons-640')

/** The published apps of a zone, or of all, as a repository that F-Droid clients read (index versions 1 and 2). */
export const fdroid = service({
  name: 'distribute/store',
  prefix: '/fdroid',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    downloadRepositoryFile: {
      ...anyoneDownloads,
      path: '/:zone/repo/:fileName',
      summary: 'The signed indexes, or a package they name',
      params: shape({ zone: text(3, 1), fileName }),
    },
    downloadRepositoryDiff: {
      ...anyoneDownloads,
      path: '/:zone/repo/diff/:fileName',
      summary: 'What changed since an earlier index',
      params: shape({ zone: text(3, 1), fileName }),
    },
    downloadLogFile: {
      ...anyoneDownloads,
      path: '/:zone/repo/transparency/:fileName',
      summary: 'The signed state of the log of releases that this index belongs to',
      params: shape({ zone: text(3, 1), fileName }),
    },
    downloadRepositoryIcon: {
      ...anyoneDownloads,
      path: '/:zone/repo/:folder/:fileName',
      summary: 'An icon, for every density the same',
      params: shape({ zone: text(3, 1), folder, fileName: picture }),
    },
    downloadRepositoryLocalIcon: {
      ...anyoneDownloads,
      path: '/:zone/repo/:packageName/:locale/:fileName',
      summary: 'The icon of one language',
      params: shape({ zone: text(3, 1), packageName, locale, fileName: picture }),
    },
    downloadRepositoryScreenshot: {
      ...anyoneDownloads,
      path: '/:zone/repo/:packageName/:locale/phoneScreenshots/:fileName',
      summary: 'A screenshot of one language',
      params: shape({ zone: text(3, 1), packageName, locale, fileName: picture }),
    },
  },
})

/** The same for the apps of one group, behind the secret in the address. */
export const fdroidOfGroup = service({
  name: 'distribute/store',
  prefix: '/fdroid/group',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    downloadGroupFile: {
      ...anyoneDownloads,
      path: '/:token/repo/:fileName',
      summary: 'The signed indexes of a group, or a package they name',
      params: shape({ token: text(300, 1), fileName }),
    },
    downloadGroupIcon: {
      ...anyoneDownloads,
      path: '/:token/repo/:folder/:fileName',
      summary: 'An icon of an app of the group',
      params: shape({ token: text(300, 1), folder, fileName: picture }),
    },
    downloadGroupLocalIcon: {
      ...anyoneDownloads,
      path: '/:token/repo/:packageName/:locale/:fileName',
      summary: 'The icon of one language of an app of the group',
      params: shape({ token: text(300, 1), packageName, locale, fileName: picture }),
    },
    downloadGroupScreenshot: {
      ...anyoneDownloads,
      path: '/:token/repo/:packageName/:locale/phoneScreenshots/:fileName',
      summary: 'A screenshot of one language of an app of the group',
      params: shape({ token: text(300, 1), packageName, locale, fileName: picture }),
    },
  },
})
