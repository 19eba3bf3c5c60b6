import { describe, expect, it } from 'vitest'
import { differenceBetween } from './rules.ts'

describe('the difference of two packages', () => {
  const base = {
    pkgId: '1',
    fileName: 'a.apk',
    versionCode: '1',
    versionName: '1.0',
    sizeBytes: 100,
    minSdk: 24,
    targetSdk: 33,
    debuggable: false,
    permissions: [{ name: 'CAMERA' }, { name: 'INTERNET' }],
    features: [],
    abis: ['arm64-v8a'],
    languages: [],
    deviceTypes: [],
    components: [{ kind: 'activity', name: 'a.Main', isExported: false }],
    sdks: [{ name: 'Firebase', version: '1.0' }],
    modules: [],
    nativeLibraries: [{ path: 'lib/arm64-v8a/liba.so', sizeBytes: 10 }],
    folders: [
      { folder: 'lib', compressedBytes: 60 },
      { folder: 'res', compressedBytes: 40 },
    ],
    signers: ['a'],
    lineage: [],
  }

  it('is nothing between a package and itself', () => {
    const { permissions, features, abis, folders, signer } = differenceBetween(base, base, {
      isSame: true,
      isProven: true,
    })
    const none = { added: [], removed: [] }
    expect({ permissions, features, abis, folders }).toEqual({
      permissions: none,
      features: none,
      abis: none,
      folders: [
        { folder: 'lib', fromBytes: 60, toBytes: 60 },
        { folder: 'res', fromBytes: 40, toBytes: 40 },
      ],
    })
    expect(signer).toMatchObject({ isSame: true, isProven: true })
  })

  it('tells permissions, folders and the signer', () => {
    const next = {
      ...base,
      pkgId: '2',
      permissions: [{ name: 'INTERNET' }, { name: 'READ_SMS' }],
      folders: [
        { folder: 'lib', compressedBytes: 61 },
        { folder: 'assets', compressedBytes: 500 },
      ],
      signers: ['b'],
      lineage: ['a', 'b'],
    }
    const { permissions, folders, signer } = differenceBetween(base, next, { isSame: false, isProven: true })
    expect(permissions).toEqual({ added: ['READ_SMS'], removed: ['CAMERA'] })
    expect(folders.map(one => [one.folder, one.fromBytes, one.toBytes])).toEqual([
      ['assets', 0, 500],
      ['res', 40, 0],
      ['lib', 60, 61],
    ])
    expect(signer).toEqual({ isSame: false, isProven: true, from: ['a'], to: ['b'] })
  })

  it('tells components that others can newly reach, libraries and their versions, and native code', () => {
    const next = {
      ...base,
      components: [
        { kind: 'activity', name: 'a.Main', isExported: true },
        { kind: 'service', name: 'a.Sync', isExported: false },
      ],
      sdks: [
        { name: 'Firebase', version: '2.0' },
        { name: 'Sentry', version: null },
      ],
      nativeLibraries: [{ path: 'lib/arm64-v8a/libb.so', sizeBytes: 30 }],
    }
    const found = differenceBetween(base, next, { isSame: true, isProven: true })
    expect(found.components).toEqual({ added: ['service a.Sync'], removed: [] })
    expect(found.exported).toEqual({ added: ['activity a.Main'], removed: [] })
    expect(found.sdks).toEqual({
      added: ['Sentry'],
      removed: [],
      changed: [{ name: 'Firebase', from: '1.0', to: '2.0' }],
    })
    expect(found.nativeLibraries).toEqual([
      { name: 'lib/arm64-v8a/libb.so', fromBytes: 0, toBytes: 30 },
      { name: 'lib/arm64-v8a/liba.so', fromBytes: 10, toBytes: 0 },
    ])
  })
})
