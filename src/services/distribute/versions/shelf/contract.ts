import { service } from '../../../../kernel/contract.ts'
import { Id, optional, PageQuery, pageOf, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Version, VersionBody } from '../contract.ts'
import { limits } from '../rules.ts'

/** Off the shelf, by the developer or by the store, and back. */
export const versionShelf = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.shelfOff', 'versions.withdraw', 'review.read', 'store.operate', 'review.senior'],
  errors: {},
  calls: {
    shelfOffVersion: {
      method: 'PUT',
      path: '/version/shelf-off',
      who: 'cp',
      may: 'versions.shelfOff',
      summary: 'Takes the app off the shelf; widely installed apps after a look by the store',
      body: shape({
        versionId: Id,
        reason: text(limits.shelfOffReasonMax, limits.shelfOffReasonMin),
        revision: optional(Revision),
      }),
      answer: Version,
    },
    cancelShelfOff: {
      method: 'PUT',
      path: '/version/shelf-off/cancel',
      who: 'cp',
      may: 'versions.withdraw',
      summary: 'Takes back a requested shelf-off, or acknowledges that one was refused',
      body: VersionBody,
      answer: Version,
    },
    listVersionsOfApp: {
      method: 'GET',
      path: '/manage/version/list',
      who: 'manage',
      may: 'review.read',
      summary: 'Versions of an app as the store’s staff see them, the newest first, with what they may do',
      query: shape({ appId: Id, ...PageQuery }),
      answer: pageOf(Version),
    },
    forceOffVersion: {
      method: 'PUT',
      path: '/manage/version/shelf-off',
      who: 'manage',
      may: 'store.operate',
      summary: 'The store takes a version off the shelf',
      body: shape({ versionId: Id, reasonCode: text(60, 1), notice: text(4000, 10) }),
      answer: Version,
    },
    restoreVersion: {
      method: 'PUT',
      path: '/manage/version/restore',
      who: 'manage',
      may: 'review.senior',
      summary: 'Puts a version that the store took off back on the shelf',
      body: shape({ versionId: Id, notice: text(4000, 10) }),
      answer: Version,
    },
  },
})
