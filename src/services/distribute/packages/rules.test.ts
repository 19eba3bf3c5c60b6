import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import {
  blocking,
  type Finding,
  isSignerProven,
  kindOf,
  missingDevices,
  packageCycle,
  packageStates,
  relationFindings,
  softenForKnownApp,
  successStatusOf,
  validityFindings,
} from './rules.ts'

const finding = (code: number, appliesTo: Finding['appliesTo'], severity: Finding['severity'] = 'BLOCK'): Finding => ({
  code,
  severity,
  appliesTo,
  detail: '',
  params: {},
})

describe('the kind of a package', () => {
  it.each([
    ['app.apk', 'ANDROID', { kind: 'APK' }],
    ['APP.APK', 'ANDROID', { kind: 'APK' }],
    ['app.aab', 'ANDROID', { kind: 'AAB' }],
    ['app.hap', 'HARMONY', { kind: 'HAP' }],
    ['main.1.org.example.app.obb', 'ANDROID', { kind: 'OBB' }],
    ['site.zip', 'H5_QUICK', { kind: 'H5' }],
    ['site.zip', 'WEB', { kind: 'WPK' }],
    ['setup.exe', 'PC_EXE', { kind: 'EXE' }],
    ['a.constructor', 'ANDROID', { expected: '.apk or .aab or .obb' }],
    ['app.apk', 'HARMONY', { expected: '.app or .hap or .hsp' }],
    ['app.txt', 'ANDROID', { expected: '.apk or .aab or .obb' }],
    ['apk', 'ANDROID', { expected: '.apk or .aab or .obb' }],
    ['app.apk', 'NO_PACKAGE', { expected: 'nothing' }],
  ])('of %s for an app of type %s', (fileName, type, wanted) => {
    expect(kindOf(fileName, type)).toEqual(wanted)
  })
})

describe('what blocks', () => {
  const findings = [
    finding(1104, 'FORMAL'),
    finding(1105, 'FORMAL'),
    finding(1103, 'ANY'),
    finding(1115, 'ANY', 'WARN'),
  ]

  it('debuggable builds and public test keys are no harm to testers', () => {
    expect(blocking(findings, 'TEST_ONLY').map(one => one.code)).toEqual([1103])
    expect(blocking(findings, 'TEST_AND_FORMAL').map(one => one.code)).toEqual([1104, 1105, 1103])
  })

  it('missing 64-bit libraries keep only new apps out', () => {
    const [forNew] = softenForKnownApp([finding(1110, 'ANY')], false)
    const [forKnown] = softenForKnownApp([finding(1110, 'ANY')], true)
    expect([forNew?.severity, forKnown?.severity]).toEqual(['BLOCK', 'WARN'])
  })
})

describe('the signer', () => {
  it.each([
    ['the same signer', ['a'], { signers: ['a'], lineage: [] }, true],
    ['the same two signers in another order', ['a', 'b'], { signers: ['b', 'a'], lineage: [] }, true],
    ['another signer', ['a'], { signers: ['b'], lineage: [] }, false],
    ['another signer with a lineage from the old one', ['a'], { signers: ['b'], lineage: ['a', 'b'] }, true],
    ['a signer whose lineage begins elsewhere', ['a'], { signers: ['c'], lineage: ['b', 'c'] }, false],
    ['back to the key before', ['b'], { signers: ['a'], lineage: [] }, false],
    ['one of two signers', ['a', 'b'], { signers: ['a'], lineage: [] }, false],
    ['a lineage from one of two signers', ['a', 'b'], { signers: ['c'], lineage: ['a', 'c'] }, false],
  ])('%s', (_says, before, next, wanted) => {
    expect(isSignerProven({ signers: before }, next)).toBe(wanted)
  })
})

describe('what other data says of a package', () => {
  const found = { packageName: 'org.example.one', versionCode: '7', signers: ['a'], lineage: [] }
  const nothing = { found, expectedName: null, onShelf: null, sameCode: null }
  const codes = (relations: Parameters<typeof relationFindings>[0]) => relationFindings(relations).map(one => one.code)

  it.each([
    ['nothing to compare with', nothing, []],
    ['the app has its name', { ...nothing, expectedName: 'org.example.one' }, []],
    ['the app has another name', { ...nothing, expectedName: 'org.example.two' }, [992]],
    ['a lower code is on shelf', { ...nothing, onShelf: { versionCode: '6', signers: ['a'] } }, []],
    ['the same code is on shelf', { ...nothing, onShelf: { versionCode: '7', signers: ['a'] } }, [1108]],
    ['codes are numbers, not words', { ...nothing, onShelf: { versionCode: '10', signers: ['a'] } }, [1108]],
    ['another signer is on shelf', { ...nothing, onShelf: { versionCode: '6', signers: ['b'] } }, [1103]],
    ['the code is taken', { ...nothing, sameCode: { pkgId: '1', fileName: 'a.apk' } }, [1107]],
    [
      'the package could not be read',
      {
        ...nothing,
        found: { packageName: null, versionCode: null, signers: [], lineage: [] },
        expectedName: 'org.example.one',
        onShelf: { versionCode: '6', signers: ['b'] },
      },
      [],
    ],
  ])('%s', (_says, relations, wanted) => {
    expect(codes(relations)).toEqual(wanted)
  })

  it('names both names, both signers and both codes', () => {
    const onShelf = { versionCode: '9', signers: ['b'] }
    const told = relationFindings({ ...nothing, expectedName: 'org.example.two', onShelf }).map(one => one.detail)
    expect(told.join(' ')).toMatch(/org\.example\.one.*org\.example\.two.*by a,.*by b,.*code 7.*above 9/)
  })
})

describe('what the clock says', () => {
  const day = 86_400_000
  const one = { code: 1005 as const, what: 'CN=A', notBefore: 10 * day, notAfter: 20 * day }
  it.each([
    ['before it begins', 5 * day, [1003]],
    ['while it holds', 15 * day, []],
    ['after it ran out', 25 * day, [1005]],
  ])('%s', (_says, now, wanted) => {
    expect(validityFindings([one], now).map(found => found.code)).toEqual(wanted)
  })
})

describe('the devices an app is for', () => {
  it('must be among those of the package, where it names any that we know', () => {
    expect(missingDevices([4, 5], ['phone', 'tablet'])).toEqual([])
    expect(missingDevices([4, 5], ['default'])).toEqual([5])
    expect(missingDevices([4], [])).toEqual([])
    expect(missingDevices([4], ['fridge'])).toEqual([])
  })
})

describe('the life cycle of a package', () => {
  it('lets people delete whatever is free and process again only what failed', () => {
    const facts = { isFree: true, needsSigning: false }
    const seen = packageStates.map(state => [state, allowedActions(packageCycle, state, () => true, facts)])
    expect(Object.fromEntries(seen)).toEqual({
      UPLOADED: ['delete'],
      PARSING: ['delete'],
      CHECKING: ['delete'],
      COMPILING: ['delete'],
      READY: ['archive', 'delete'],
      FAILED: ['processAgain', 'delete'],
      ARCHIVED: ['restore', 'delete'],
    })
  })

  it('is signed again only while it is ready, no version refers to it, and the store signs with another key', () => {
    const may = (isFree: boolean, needsSigning: boolean) =>
      packageStates.filter(state =>
        allowedActions(packageCycle, state, () => true, { isFree, needsSigning }).includes('signAgain'),
      )
    expect([may(true, true), may(false, true), may(true, false)]).toEqual([['READY'], [], []])
  })

  it('becomes ready when it is checked, and fails before it was ready only', () => {
    const from = (action: 'accept' | 'fail') =>
      packageStates.filter(state => moveFor(packageCycle, state, action, () => true))
    expect(from('accept')).toEqual(['CHECKING', 'COMPILING'])
    expect(from('fail')).toEqual(['UPLOADED', 'PARSING', 'CHECKING', 'COMPILING'])
  })

  it('is told to older tools as one of three numbers', () => {
    expect(packageStates.map(successStatusOf)).toEqual([1, 1, 1, 1, 0, 2, 0])
  })
})
