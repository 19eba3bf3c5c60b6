import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Inside } from '../../packages/public.ts'
import { type RuleId, ruleIds, ruleTexts } from '../rule-texts.data.ts'
import {
  type CheckAction,
  type CheckState,
  checkCycle,
  checkKinds,
  checkStates,
  countsOf,
  type Result,
  verdictOf,
} from '../rules.ts'
import type { CheckedPackage, PrivacyAnswer, Subject } from '../subject.ts'
import { judge } from './judge.ts'
import { unfit } from './permissions.ts'

const pkg: CheckedPackage = {
  ...{ pkgId: '1', kind: 'APK', fileName: 'a.apk', sizeBytes: 1000, sha256: 'aa', packageName: 'org.example.demo' },
  ...{ versionCode: '1', versionName: '1.0', label: 'Demo', minSdk: 24, targetSdk: 34, abis: [], permissions: [] },
  ...{ signers: ['ab'], certificates: [], signatureSchemes: ['v2', 'v3'], debuggable: false, folders: [] },
  ...{ languages: [], sdks: [], isMade: false, findings: [] },
}
const inside: Inside = {
  manifestXml: '<manifest/>',
  application: { usesCleartextTraffic: null, allowBackup: false, configPermitsCleartext: null, cleartextHosts: [] },
  components: [],
  icon: { path: 'res/ic.png', width: 192, height: 192 },
  secrets: [],
  libraries: [],
  duplicates: [],
  fileCount: 10,
  compressedBytes: 1000,
}
const answered: PrivacyAnswer = { state: 'answered', status: 200, letters: 900 }
const component = {
  kind: 'service',
  name: 'a.B',
  isExported: true,
  isUnsaid: false,
  permission: null,
  isLauncher: false,
} as const

interface Change {
  pkg?: Partial<CheckedPackage>
  inside?: Partial<Inside> | null
  privacy?: PrivacyAnswer
}

function resultOf(ruleId: RuleId, change: Change): Result | undefined {
  const subject: Subject = {
    pkg: { ...pkg, ...change.pkg },
    inside: change.inside === null ? null : { ...inside, ...change.inside },
    privacy: change.privacy ?? answered,
    now: 0,
  }
  return judge(subject, checkKinds).find(item => item.ruleId === ruleId)?.result
}

const permission = (name: string, maxSdk?: number) => ({
  name: `android.permission.${name}`,
  ...(maxSdk && { maxSdk }),
})
const finding = (code: number) => ({ findings: [{ code, detail: 'It says why.' }] })
const application = (change: Partial<NonNullable<Inside['application']>>) => ({
  inside: { application: { ...inside.application!, ...change } },
})
const sdk = (name: string) => ({ sdks: [{ name, provider: 'P', version: null }] })
const certificate = (keyAlgorithm: string, keyBits: number, notAfter = Date.UTC(2050, 0)) => ({
  certificates: [{ keyAlgorithm, keyBits, notAfter } as CheckedPackage['certificates'][number]],
})

describe('a rule', () => {
  it.each<[RuleId, string, Change, Result]>([
    ['signature', 'unsigned', { pkg: finding(1101) }, 'BLOCK'],
    ['signature', 'a public test key', { pkg: finding(1105) }, 'BLOCK'],
    ['signatureScheme', 'v1 alone', { pkg: { signatureSchemes: ['v1'] } }, 'WARN'],
    ['signatureScheme', 'v1 and v2', { pkg: { signatureSchemes: ['v1', 'v2'] } }, 'PASS'],
    ['signatureScheme', 'a HarmonyOS package', { pkg: { kind: 'HAP' } }, 'NOT_RUN'],
    ['signingKey', 'RSA of 1024 bits', { pkg: certificate('rsa', 1024) }, 'WARN'],
    ['signingKey', 'EC of 256 bits', { pkg: certificate('ec', 256) }, 'PASS'],
    ['signingKey', 'a certificate that ends in 2030', { pkg: certificate('rsa', 4096, Date.UTC(2030, 0)) }, 'WARN'],
    ['archive', 'an archive that lies', { pkg: finding(1113) }, 'BLOCK'],
    ['debuggable', 'a debug build', { pkg: { debuggable: true } }, 'BLOCK'],
    ['exported', 'a service that everybody starts', { inside: { components: [component] } }, 'WARN'],
    ['exported', 'an open provider', { inside: { components: [{ ...component, kind: 'provider' }] } }, 'BLOCK'],
    ['exported', 'a guarded one', { inside: { components: [{ ...component, permission: 'a.P' }] } }, 'PASS'],
    ['exported', 'what the launcher starts', { inside: { components: [{ ...component, isLauncher: true }] } }, 'PASS'],
    ['exported', 'bytes that cannot be read', { inside: null }, 'NOT_RUN'],
    ['cleartext', 'said nothing, API 34', {}, 'PASS'],
    ['cleartext', 'said nothing, API 27', { pkg: { targetSdk: 27 } }, 'WARN'],
    ['cleartext', 'permitted', application({ usesCleartextTraffic: true }), 'WARN'],
    [
      'cleartext',
      'permitted, and refused by the configuration',
      application({ usesCleartextTraffic: true, configPermitsCleartext: false }),
      'PASS',
    ],
    ['cleartext', 'for one host', application({ cleartextHosts: ['a.example'] }), 'WARN'],
    ['backup', 'undecided', application({ allowBackup: null }), 'INFO'],
    ['secrets', 'a private key', { inside: { secrets: [{ kind: 'private-key', file: 'a', sample: 'b' }] } }, 'BLOCK'],
    [
      'secrets',
      'a key bound to the app',
      { inside: { secrets: [{ kind: 'google-api-key', file: 'a', sample: 'b' }] } },
      'INFO',
    ],
    [
      'hardening',
      'a library without RELRO',
      { inside: { libraries: [{ path: 'lib/a.so', hasRelro: false, hasExecutableStack: false }] } },
      'WARN',
    ],
    ['permissions', 'none', {}, 'PASS'],
    ['permissions', 'the camera', { pkg: { permissions: [permission('CAMERA')] } }, 'INFO'],
    ['permissions', 'messages', { pkg: { permissions: [permission('READ_SMS')] } }, 'WARN'],
    [
      'permissionsForTarget',
      'storage on API 34',
      { pkg: { permissions: [permission('WRITE_EXTERNAL_STORAGE')] } },
      'WARN',
    ],
    ['trackers', 'none', {}, 'PASS'],
    ['trackers', 'one, with a policy', { pkg: sdk('UMeng') }, 'INFO'],
    ['trackers', 'one, without', { pkg: sdk('UMeng'), privacy: { state: 'none' } }, 'WARN'],
    ['privacyStatement', 'read', {}, 'PASS'],
    [
      'privacyStatement',
      'none, and the camera',
      { pkg: { permissions: [permission('CAMERA')] }, privacy: { state: 'none' } },
      'BLOCK',
    ],
    ['privacyStatement', 'none, and nothing asked', { privacy: { state: 'none' } }, 'INFO'],
    ['privacyStatement', 'not there', { privacy: { state: 'answered', status: 404, letters: 900 } }, 'WARN'],
    ['privacyStatement', 'an empty page', { privacy: { state: 'answered', status: 200, letters: 12 } }, 'WARN'],
    ['privacyStatement', 'no answer', { privacy: { state: 'failed', reason: 'did not answer in time' } }, 'WARN'],
    ['targetSdk', 'an old one', { pkg: finding(1109) }, 'WARN'],
    ['abi64', '32 bits alone', { pkg: finding(1110) }, 'BLOCK'],
    ['pageSize', 'not aligned', { pkg: finding(1115) }, 'WARN'],
    ['exportedSaid', 'unsaid on API 34', { inside: { components: [{ ...component, isUnsaid: true }] } }, 'BLOCK'],
    [
      'exportedSaid',
      'unsaid on API 30',
      { pkg: { targetSdk: 30 }, inside: { components: [{ ...component, isUnsaid: true }] } },
      'INFO',
    ],
    ['installable', 'for tests only', { pkg: finding(1112) }, 'BLOCK'],
    ['size', '100 MB', { pkg: { sizeBytes: 100 << 20 } }, 'INFO'],
    ['size', '200 MB', { pkg: { sizeBytes: 200 << 20 } }, 'WARN'],
    [
      'duplicates',
      'half a megabyte twice',
      { inside: { duplicates: [{ names: ['a', 'b'], wastedBytes: 500_000 }] } },
      'WARN',
    ],
    ['icon', 'none', { inside: { icon: null } }, 'WARN'],
    ['icon', 'a small one', { inside: { icon: { path: 'a', width: 48, height: 48 } } }, 'INFO'],
    ['label', 'none', { pkg: { label: null } }, 'WARN'],
    ['label', 'an unresolved one', { pkg: { label: '@0x7f010000' } }, 'WARN'],
    ['battery', 'without a device', {}, 'NOT_RUN'],
    ['crashes', 'without a device', {}, 'NOT_RUN'],
  ])('%s: %s', (ruleId, _says, change, wanted) => {
    expect(resultOf(ruleId, change)).toBe(wanted)
  })

  it('passes a package that is right, and what needs a device is never called a pass', () => {
    const items = judge({ pkg, inside, privacy: answered, now: 0 }, checkKinds)
    expect([verdictOf(items), countsOf(items)]).toEqual(['pass', { BLOCK: 0, WARN: 0, INFO: 0, PASS: 23, NOT_RUN: 2 }])
  })

  it('has its texts in three languages, and runs for its kind only', () => {
    expect(ruleIds.every(id => Object.values(ruleTexts[id].title).every(Boolean))).toBe(true)
    const kinds = judge({ pkg, inside, privacy: answered, now: 0 }, ['UX']).map(item => item.kind)
    expect([...new Set(kinds)]).toEqual(['UX'])
  })

  it('keeps evidence short, and what PostgreSQL cannot hold out of it', () => {
    const components = Array.from({ length: 100 }, () => ({ ...component, name: `a\0${'\ud800'}${'x'.repeat(900)}` }))
    const items = judge({ pkg, inside: { ...inside, components }, privacy: answered, now: 0 }, ['SECURITY'])
    const { evidence } = items.find(item => item.ruleId === 'exported')!
    expect([
      evidence.length,
      evidence.every(one => one.length <= 300 && one.isWellFormed() && !one.includes('\0')),
    ]).toEqual([30, true])
  })
})

it.each([
  ['old storage where it still counts', [permission('WRITE_EXTERNAL_STORAGE')], 29, 0],
  ['old storage with its last level', [permission('WRITE_EXTERNAL_STORAGE', 29)], 34, 0],
  ['old storage after it', [permission('WRITE_EXTERNAL_STORAGE', 32)], 34, 1],
  ['Bluetooth of before', [permission('BLUETOOTH'), permission('BLUETOOTH_ADMIN')], 33, 2],
  ['background location alone', [permission('ACCESS_BACKGROUND_LOCATION')], 29, 1],
  ['fine location alone on API 31', [permission('ACCESS_FINE_LOCATION')], 31, 1],
  ['fine and coarse location', [permission('ACCESS_FINE_LOCATION'), permission('ACCESS_COARSE_LOCATION')], 31, 0],
] as const)('permissions against the target level: %s', (_says, permissions, targetSdk, count) => {
  expect(unfit(permissions, targetSdk)).toHaveLength(count)
})

describe('the life cycle of a check', () => {
  const wanted: Readonly<Record<CheckState, readonly CheckAction[]>> = {
    WAITING: ['start', 'expire', 'delete'],
    RUNNING: ['pass', 'fail', 'expire', 'delete'],
    PASSED: ['delete'],
    FAILED: ['delete'],
    EXPIRED: ['delete'],
  }

  it.each(checkStates)('allows from %s what the table says, and people only to delete', state => {
    const actions = checkCycle.moves.filter(move => move.from.includes(state)).map(move => move.action)
    expect([...actions].sort()).toEqual([...wanted[state]].sort())
    expect(allowedActions(checkCycle, state, permission => permission === 'appCheck.run')).toEqual(['delete'])
    expect(allowedActions(checkCycle, state, permission => permission === 'appCheck.read')).toEqual([])
  })
})
