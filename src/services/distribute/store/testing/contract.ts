import { service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, optional, shape, text } from '../../../../kernel/shape.ts'
import { store, UpdateAnswer } from '../contract.ts'

const token = text(300, 1)
const { deviceId, packages } = store.calls.queryUpdates.body.properties

/** What a tester may have, as a repository that F-Droid clients read, behind the secret in the address. */
export const fdroidOfTests = service({
  name: 'distribute/store',
  prefix: '/fdroid/test',
  zone: 'current',
  permissions: [],
  errors: {
    testFull: [202050031, 403, 'The test has as many devices as it may have; ask its developer for a place.'],
  },
  calls: {
    downloadTestFile: {
      method: 'GET',
      path: '/:token/repo/:fileName',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      kind: 'download',
      summary: 'The signed indexes of what a tester may have, or a package they name',
      params: shape({ token, fileName: text(300, 1) }),
    },
  },
})

/** Tests for devices that ask by themselves. */
export const storeTests = service({
  name: 'distribute/store',
  prefix: '/store/testing/v1',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    queryTestUpdates: {
      method: 'POST',
      path: '/updates',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'Asks for a newer test version of installed packages; the secret says what the tester may have',
      body: shape({ token, deviceId, packages }),
      answer: shape({ packages: list(UpdateAnswer) }),
    },
    viewTests: {
      method: 'POST',
      path: '/view',
      who: 'anonymous',
      may: 'none',
      summary: 'What the holder of a secret may test now, for the page that the invitation leads to',
      body: shape({ token, lang: optional(text(20)) }),
      answer: shape({
        appName: text(200),
        /** Whether the secret is one person's, who may leave. */
        isPersonal: flag(),
        repository: text(1000),
        versions: list(
          shape({
            versionId: Id,
            versionName: text(200),
            versionCode: text(20),
            notes: text(4000),
            sizeBytes: integer(0, Number.MAX_SAFE_INTEGER),
          }),
        ),
      }),
    },
  },
})
