import { service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, nullable, oneOf, optional, pattern, shape, text } from '../../../../kernel/shape.ts'
import { standings, updateResults } from '../rules.ts'

const Code = pattern('^(0|[1-9][0-9]{0,18})$', 19, '42')

/** What a device would be told, and why: for a developer who has no such device. */
export const storeDecision = service({
  name: 'distribute/store',
  prefix: '/store/decision/v1',
  zone: 'current',
  permissions: ['store.read'],
  errors: {},
  calls: {
    previewUpdate: {
      method: 'POST',
      path: '/preview',
      who: 'cp',
      may: 'store.read',
      summary: 'What a device with these properties is told of an app now, and how each version on shelf stands to it',
      body: shape({
        appId: Id,
        /** 0: the app is not installed. */
        versionCode: Code,
        deviceId: optional(text(128, 1)),
        country: optional(pattern('^[A-Z]{2}$', 2, 'DE')),
        sdk: optional(integer(1, 10_000)),
        abis: optional(list(text(20), { maxItems: 8 })),
        certSha256: optional(pattern('^[0-9a-f]{64}$', 64, 'a'.repeat(64))),
        /** Its user looks for updates. */
        isByHand: optional(flag()),
      }),
      answer: shape({
        result: oneOf([...updateResults]),
        /** The package of the edition that is shown in its place there. */
        replacedBy: nullable(text(255)),
        offers: list(
          shape({
            versionId: Id,
            versionCode: text(20),
            versionName: text(255),
            standing: oneOf([...standings]),
            phased: flag(),
            /** Of a phased one: the share, and the place of the device, below which it is in; in hundredths of a percent. */
            percentBp: nullable(integer(0, 10_000)),
            bucket: nullable(integer(0, 9_999)),
            /** The device must update to it. */
            forced: flag(),
          }),
        ),
      }),
    },
  },
})
