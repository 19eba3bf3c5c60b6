import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, list, nullable, oneOf, optional, Revision, shape, text } from '../../../../kernel/shape.ts'
import { Code, Version } from '../contract.ts'
import { deviceGroups, forwardStates, rollbackLimits, rollbackModes } from './rules.ts'

/** A version turned out bad: it leaves, and the one before is offered again. */
export const versionRollback = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.release'],
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
      'Rolling forward needs an app bundle that the store signs, and this is {kind}. Build {versionName} again with version code {versionCode} or higher, sign it with the same certificate, and release it as the next version.',
    ],
    noDowngrade: [
      202030050,
      422,
      'Version {versionName} stores data that no older build can read, so nobody is led back from it; release a mended version with a higher code, and stop this one if it is phased.',
    ],
    forwardUnderWay: [
      202030049,
      409,
      'An older build of this app is being made again already, as package {pkgId}; wait until it is out.',
    ],
  },
  calls: {
    previewRollback: {
      method: 'GET',
      path: '/version/rollback/preview',
      who: 'cp',
      may: 'versions.read',
      summary:
        'What each way back would do with the devices that have the version, were offered it, or have an older one',
      query: shape({ versionId: Id }),
      answer: shape({
        modes: list(
          shape({
            mode: oneOf(rollbackModes),
            isPossible: flag(),
            /** No version can take its place; the store does not hold the key, so the developer signs anew: see forward; no older build can read its data. */
            obstacle: nullable(oneOf(['noTarget', 'cannotSign', 'noDowngrade'])),
            /** What would be on shelf, the first unless one is named. */
            targets: list(
              shape({
                versionId: Id,
                versionCode: nullable(Code),
                versionName: nullable(text(255)),
                offShelfAt: nullable(Instant),
              }),
            ),
            groups: list(shape({ group: oneOf(deviceGroups), effect: oneOf(['stuck', 'target', 'forward']) })),
          }),
        ),
        /** Under which code and name the older build would have to come again. */
        forward: shape({ versionCode: Code, versionName: nullable(text(300)), signers: list(text(64)) }),
      }),
    },
    getForward: {
      method: 'GET',
      path: '/version/rollback/forward',
      who: 'cp',
      may: 'versions.read',
      summary: 'How far the older build is that comes again for the devices with a version that was rolled back',
      query: shape({ versionId: Id }),
      answer: shape({
        /** Null: nothing was rolled forward. */
        forward: nullable(
          shape({
            state: oneOf(forwardStates),
            targetVersionId: Id,
            /** What is made, with its task and what was found. */
            pkgId: Id,
            versionCode: nullable(Code),
            versionName: nullable(text(300)),
            /** Under which it came out. */
            versionId: nullable(Id),
            startedAt: Instant,
            endedAt: nullable(Instant),
          }),
        ),
      }),
    },
    rollBackVersion: {
      method: 'PUT',
      path: '/version/rollback',
      who: 'cp',
      may: 'versions.release',
      summary:
        'Takes a bad version back: STOP to what stood before, RESTORE to a version that is named, ROLL_FORWARD to it and under a higher code for those who have the bad one',
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
