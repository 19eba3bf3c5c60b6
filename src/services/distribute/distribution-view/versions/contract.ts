import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, pageOf, shape, Type, text } from '../../../../kernel/shape.ts'
import { Code, TimelineEntry, Version, versions } from '../../versions/contract.ts'
import { versionHistory } from '../../versions/history/contract.ts'
import { face, places, view } from '../contract.ts'

export const VersionView = shape({
  versionId: Id,
  appId: Id,
  versionNumber: nullable(text(255)),
  versionCode: nullable(Code),
  /** 0 to 13; null of one that another took the place of. */
  releaseState: nullable(integer(0, 13)),
  /** 1: the formal lane; tests are those of /beta-test. */
  releaseType: Type.Literal(1),
  auditOpinion: text(4000),
  releaseTime: nullable(Instant),
  /** The entity itself, as its own calls answer it. */
  version: Version,
})

const shared = {
  ...face,
  permissions: ['versions.read'],
  errors: {},
  calls: {
    listVersions: {
      ...view,
      method: 'GET',
      path: '/version-list',
      may: 'versions.read',
      summary: 'Versions of an app, the newest first, each with everything that happened to it',
      query: versions.calls.listVersions.query,
      answer: pageOf(shape({ ...VersionView.properties, timeline: list(TimelineEntry) })),
    },
    listHistory: {
      ...view,
      method: 'GET',
      path: '/history-versions',
      may: 'versions.read',
      summary: 'Versions that were on shelf, the newest first',
      query: versionHistory.calls.listHistoryVersions.query,
      answer: pageOf(VersionView),
    },
    getHistory: {
      ...view,
      method: 'GET',
      path: '/history-versions/:versionId',
      may: 'versions.read',
      summary: 'One version with its listing and everything that happened to it',
      params: shape({ versionId: Id }),
      answer: shape({ ...VersionView.properties, ...versionHistory.calls.getHistoryVersion.answer.properties }),
    },
  },
} as const

export const versionViews = service({ ...shared, prefix: places.first })
export const versionViewsV2 = service({ ...shared, prefix: places.second })
