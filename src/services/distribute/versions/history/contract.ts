import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, list, nullable, PageQuery, pageOf, shape, text } from '../../../../kernel/shape.ts'
import { AppQuery, Code, Listing, State, TimelineEntry, Version } from '../contract.ts'

/** What was: codes, versions that were on shelf, everything that happened to one. */
export const versionHistory = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read'],
  errors: {},
  calls: {
    listVersionCodes: {
      method: 'GET',
      path: '/app/version-code/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Every version code the app ever had a package of, the newest first',
      query: shape({ appId: Id, ...PageQuery }),
      answer: pageOf(
        shape({
          pkgId: Id,
          versionCode: Code,
          versionName: text(255),
          at: Instant,
          versions: list(shape({ versionId: Id, state: State })),
        }),
      ),
    },
    getLastOnShelf: {
      method: 'GET',
      path: '/version/last-on-shelf',
      who: 'cp',
      may: 'versions.read',
      summary: 'The version that is or was last on shelf',
      query: AppQuery,
      answer: shape({ version: nullable(Version) }),
    },
    listHistoryVersions: {
      method: 'GET',
      path: '/app/history-version/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Versions that were on shelf, the newest first',
      query: shape({ appId: Id, ...PageQuery }),
      answer: pageOf(Version),
    },
    getHistoryVersion: {
      method: 'GET',
      path: '/app/history-version',
      who: 'cp',
      may: 'versions.read',
      summary: 'One version with its listing and everything that happened to it',
      query: shape({ versionId: Id }),
      answer: shape({ version: Version, listings: list(Listing), timeline: list(TimelineEntry) }),
    },
  },
})
