import { expect, it } from 'vitest'
import { type DeviceType, type FitPackage, misfitsOf } from './rules.ts'

const plain: FitPackage = {
  kind: 'APK',
  minSdk: 24,
  abis: [],
  features: [],
  permissions: [],
  deviceTypes: [],
  sizeBytes: 1000,
}
const feature = (name: string, isRequired = true) => ({ name: `android.${name}`, isRequired })

it.each<[string, DeviceType, Partial<FitPackage>, string[]]>([
  ['a phone takes a plain app', 4, {}, []],
  ['a tablet does not telephone', 5, { features: [feature('hardware.telephony')] }, ['fit.feature']],
  ['what is not required does no harm', 5, { features: [feature('hardware.telephony', false)] }, []],
  [
    'a permission asks for the hardware by itself',
    5,
    { permissions: [{ name: 'android.permission.CALL_PHONE' }] },
    ['fit.implied'],
  ],
  [
    'unless it is said otherwise',
    5,
    { permissions: [{ name: 'android.permission.CALL_PHONE' }], features: [feature('hardware.telephony', false)] },
    [],
  ],
  ['a television has no touch screen', 7, {}, ['fit.leanback', 'fit.touch']],
  [
    'one made for televisions',
    7,
    { features: [feature('software.leanback'), feature('hardware.touchscreen', false)] },
    [],
  ],
  ['a watch takes what is made for watches', 8, {}, ['fit.watch']],
  ['and not too much of it', 8, { features: [feature('hardware.type.watch')], sizeBytes: 200 << 20 }, ['fit.size']],
  ['a phone does not take what is for watches', 4, { features: [feature('hardware.type.watch')] }, ['fit.feature']],
  ['a car wants to be named', 9, {}, ['fit.car']],
  ['32 bits alone', 4, { abis: ['armeabi-v7a'] }, ['fit.abi']],
  ['HarmonyOS packages name their devices', 5, { deviceTypes: ['phone'] }, ['fit.device']],
  ['and fit those', 4, { deviceTypes: ['phone', 'tablet'] }, []],
])('%s', (_says, device, change, rules) => {
  expect(misfitsOf({ ...plain, ...change }, device).map(reason => reason.rule)).toEqual(rules)
})
