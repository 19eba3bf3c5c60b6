import { service } from '../../../../kernel/contract.ts'
import { Id, nullable, oneOf, optional, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Version } from '../contract.ts'
import { rollbackLimits, rollbackModes } from './rules.ts'

/** A version turned out bad: it leaves, and the one before is offered again. */
export const versionRollback = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.release'],
  errors: {
    noTarget: [
      202030023,
      422,
      'No earlier version can take its place: it must have been full on shelf and left it less than {days} days ago.',
    ],
    signerChanged: [
      202030024,
      422,
      'Version {versionName} is signed by another certificate; release a new one instead.',
    ],
    notAab: [
      202030025,
      422,
      'Rolling forward needs an app bundle that the store signs, and this is {kind}; use STOP or RESTORE.',
    ],
  },
  calls: {
    rollBackVersion: {
      method: 'PUT',
      path: '/version/rollback',
      who: 'cp',
      may: 'versions.release',
      summary: 'Takes a bad version back: STOP to what stood before, RESTORE to a version that is named',
      body: shape({
        versionId: Id,
        targetVersionId: optional(Id),
        mode: oneOf(rollbackModes),
        reason: text(rollbackLimits.reasonMax, rollbackLimits.reasonMin),
        revision: optional(Revision),
      }),
      answer: shape({
        version: Version,
        /** What is fully on shelf now. */
        onShelf: nullable(Version),
      }),
    },
  },
})
