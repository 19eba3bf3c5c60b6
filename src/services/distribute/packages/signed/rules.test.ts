import { describe, expect, it } from 'vitest'
import { choiceFor, type Device, matchOf, signingStatusOf } from './rules.ts'

const [arm, arm32, x86] = ['arm64-v8a', 'armeabi-v7a', 'x86_64']
const device = (abis: string[], sdkVersion: number | null = null): Device => ({ abis, sdkVersion })

describe('the package of a set that a device gets', () => {
  const both = { minSdk: 24, abis: [arm, arm32], splits: [{ abi: arm }, { abi: arm32 }] }
  it.each([
    ['the one for its processor', both, device([arm]), arm, null],
    ['the one it likes best of several', both, device([x86, arm32, arm]), arm32, null],
    ['the whole, when it says nothing of itself', both, device([]), null, null],
    ['none, when no libraries are for its processor', both, device([x86]), null, 'ABI'],
    ['none, when it is too old', both, device([arm], 23), null, 'SDK'],
    ['the whole, where there are no libraries', { minSdk: null, abis: [], splits: [] }, device([x86], 30), null, null],
    [
      'the whole, where it is for one processor anyway',
      { minSdk: 1, abis: [arm], splits: [] },
      device([arm]),
      null,
      null,
    ],
  ] as const)('%s', (_says, set, of, abi, reason) => {
    expect(choiceFor(set, of)).toEqual({ abi, reason })
  })
})

describe('how far the store’s signature is', () => {
  const row = { kind: 'APK', state: 'READY', signers: ['new'], isMade: true }
  it.each([
    ['done', row, 'new', 'DONE'],
    ['needed after a rotation', { ...row, signers: ['old'] }, 'new', 'NEEDED'],
    ['needed where it was accepted before the store signed', { ...row, isMade: false }, 'new', 'NEEDED'],
    ['not needed where the store does not sign', { ...row, isMade: false }, null, 'NOT_NEEDED'],
    ['not needed of what is no Android package', { ...row, kind: 'HAP' }, 'new', 'NOT_NEEDED'],
    ['running while it is processed', { ...row, state: 'COMPILING' }, 'new', 'RUNNING'],
    ['failed with the package', { ...row, state: 'FAILED' }, 'new', 'FAILED'],
  ] as const)('%s', (_says, found, signer, wanted) => {
    expect(signingStatusOf(found, signer)).toBe(wanted)
  })
})

describe('as what a signer counts', () => {
  const expected = [
    { match: 'UPLOAD_CERT', certSha256: 'upload' },
    { match: 'APP_CERT', certSha256: 'app' },
    { match: 'LINEAGE', certSha256: 'before' },
  ] as const
  it.each([
    ['upload certificate', ['upload'], [], 'UPLOAD_CERT'],
    ['app certificate', ['app'], [], 'APP_CERT'],
    ['one before it', ['before'], [], 'LINEAGE'],
    ['one after it, as its lineage proves', ['next'], ['app', 'next'], 'LINEAGE'],
    ['nothing, whatever its lineage names', ['other'], ['upload', 'other'], 'NONE'],
    ['nothing when there are two', ['app', 'upload'], [], 'NONE'],
    ['nothing when there is none', [], [], 'NONE'],
  ] as const)('%s', (_says, signers, lineage, wanted) => {
    expect(matchOf({ signers, lineage }, expected).match).toBe(wanted)
  })

  it('prefers the upload certificate where both are one', () => {
    const one = [
      { match: 'APP_CERT', certSha256: 'same' },
      { match: 'UPLOAD_CERT', certSha256: 'same' },
    ] as const
    expect(matchOf({ signers: ['same'], lineage: [] }, one)).toEqual({ match: 'UPLOAD_CERT', certSha256: 'same' })
  })
})
