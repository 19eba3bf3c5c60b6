import { bulkOutcome, bulkSummary } from '../../../../kernel/bulk.ts'
import { service } from '../../../../kernel/contract.ts'
import { Id, list, nullable, oneOf, optional, PageQuery, pageOf, shape, Type, text } from '../../../../kernel/shape.ts'
import { Code, State } from '../contract.ts'
import { limits, releaseModes } from '../rules.ts'
import { bulkActions } from './rules.ts'

const VersionIds = Type.Array(Id, { minItems: 1, maxItems: limits.versionsOfBulk, uniqueItems: true })
const Started = shape({ bulkId: Id })

const summary = {
  ...bulkSummary(limits.versionsOfBulk),
  action: oneOf(bulkActions),
  reason: text(limits.shelfOffReasonMax),
}

const Item = shape({
  versionId: Id,
  appId: Id,
  appName: text(64),
  versionCode: nullable(Code),
  versionName: nullable(text(255)),
  /** What it came into. */
  state: nullable(State),
  ...bulkOutcome,
})

/** One action on up to 100 versions: a job with a report for each. The same Idempotency-Key answers the same job. */
export const versionBulks = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.submit', 'versions.withdraw', 'versions.shelfOff'],
  errors: {},
  calls: {
    submitVersions: {
      method: 'POST',
      path: '/version/bulk/on-shelf',
      who: 'cp',
      may: 'versions.submit',
      summary: 'Submits each of the versions for review',
      body: shape({ versionIds: VersionIds, releaseMode: optional(oneOf(releaseModes)) }),
      answer: Started,
    },
    withdrawVersions: {
      method: 'POST',
      path: '/version/bulk/on-shelf/cancel',
      who: 'cp',
      may: 'versions.withdraw',
      summary: 'Takes each of the versions back from the store',
      body: shape({ versionIds: VersionIds }),
      answer: Started,
    },
    shelfOffVersions: {
      method: 'POST',
      path: '/version/bulk/shelf-off',
      who: 'cp',
      may: 'versions.shelfOff',
      summary: 'Takes each of the versions off the shelf',
      body: shape({ versionIds: VersionIds, reason: text(limits.shelfOffReasonMax, limits.shelfOffReasonMin) }),
      answer: Started,
    },
    getBulk: {
      method: 'GET',
      path: '/version/bulk',
      who: 'cp',
      may: 'versions.read',
      summary: 'How far an action on many versions is, and what became of each',
      query: shape({ bulkId: Id }),
      answer: shape({ ...summary, list: list(Item) }),
    },
    listBulks: {
      method: 'GET',
      path: '/version/bulk/list',
      who: 'cp',
      may: 'versions.read',
      summary: 'Actions on many versions, the newest first',
      query: shape({ ...PageQuery }),
      answer: pageOf(shape(summary)),
    },
  },
})
