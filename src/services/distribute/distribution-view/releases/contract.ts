import { service } from '../../../../kernel/contract.ts'
import { optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { publishing } from '../../publishing/contract.ts'
import { Version, versions } from '../../versions/contract.ts'
import { versionPhased } from '../../versions/phased/contract.ts'
import { versionRollback } from '../../versions/rollback/contract.ts'
import { versionShelf } from '../../versions/shelf/contract.ts'
import { errors, face, places, view, Which } from '../contract.ts'

const submit = versions.calls.submitVersion
const urge = versions.calls.urgeReview
const shelfOff = versionShelf.calls.shelfOffVersion
const rollBack = versionRollback.calls.rollBackVersion
const phased = versionPhased.calls.updatePhasedRelease
const changes = versionPhased.calls.listPhasedChanges

const shared = {
  ...face,
  permissions: ['versions.read', 'versions.submit', 'versions.withdraw', 'versions.release', 'versions.shelfOff'],
  errors: { whichVersion: errors.whichVersion, noVersion: publishing.errors.noVersion },
  calls: {
    submitAudit: {
      ...view,
      method: 'POST',
      path: '/audit/submit',
      may: 'versions.submit',
      summary: 'Submits the version being prepared for review; with dryRun=1 only says what stands in the way',
      query: submit.query,
      body: shape({ ...submit.body.properties, ...Which }),
      answer: submit.answer,
    },
    cancelAudit: {
      ...view,
      method: 'POST',
      path: '/audit/cancel',
      may: 'versions.withdraw',
      summary: 'Takes back from the store what is with it: a version, else a shelf-off that was asked for',
      body: shape({ ...versions.calls.withdrawVersion.body.properties, ...Which }),
      answer: shape({ version: Version }),
    },
    urgeAudit: {
      ...view,
      method: 'POST',
      path: '/audit/urge',
      may: 'versions.submit',
      summary: 'Asks the store to hurry with a review that is overdue',
      body: shape({ ...urge.body.properties, ...Which }),
      answer: shape({ version: Version }),
    },
    shelfOff: {
      ...view,
      method: 'PUT',
      path: '/shelf-off',
      may: 'versions.shelfOff',
      summary: 'Takes the app off the shelf; widely installed apps after a look by the store',
      body: shape({ ...shelfOff.body.properties, ...Which }),
      answer: shape({ version: Version }),
    },
    rollBack: {
      ...view,
      method: 'PUT',
      path: '/rollback',
      may: 'versions.release',
      summary: 'Takes a bad version back; of an app, what goes to a share of devices now, else what is on shelf',
      body: shape({ ...rollBack.body.properties, ...Which }),
      answer: rollBack.answer,
    },
    getPhased: {
      ...view,
      method: 'GET',
      path: '/phased-release',
      may: 'versions.read',
      summary: 'The phased release of a version or an app, and each change of it, the newest first',
      query: shape({ ...changes.query.properties, ...Which }),
      answer: changes.answer,
    },
    updatePhased: {
      ...view,
      method: 'PUT',
      path: '/phased-release',
      may: 'versions.release',
      summary: 'Enlarges the share, changes end and description, or pauses, resumes, completes, cancels, rolls back',
      body: shape({
        ...phased.body.properties,
        ...Which,
        /** RELEASE, SUSPEND, CANCEL, GRAY_TERMINATED or ROLLBACK. */
        state: optional(text(30, 1)),
        /** As `percent`, as tools write it. */
        phasedReleasePercent: optional(Type.Union([Type.Number({ minimum: 0, maximum: 100 }), text(10)])),
        phasedReleaseDescription: phased.body.properties.description,
      }),
      answer: phased.answer,
    },
  },
} as const

export const releaseViews = service({ ...shared, prefix: places.first })
export const releaseViewsV2 = service({ ...shared, prefix: places.second })
