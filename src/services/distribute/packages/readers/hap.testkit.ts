import { createHash } from 'node:crypto'
import { makeZip, type TestEntry } from '../apk/zip.testkit.ts'
import { type Holder, makeHolder, signedData } from './authority.testkit.ts'

/** Who signs in the tests: root, application CA, developer; profile CA and its signer. */
export interface HarmonyKeys {
  developer: Holder
  profileSigner: Holder
  other: Holder
}

/** Keys take a while to make, so a file of tests makes them once. */
export function makeHarmonyKeys(): HarmonyKeys {
  const root = makeHolder({ commonName: 'Test Root CA' })
  const appAuthority = makeHolder({ commonName: 'Test Application CA', issuer: root, isAuthority: true })
  const profileAuthority = makeHolder({ commonName: 'Test Profile CA', issuer: root, isAuthority: true })
  return {
    developer: makeHolder({ commonName: 'Team 42,Release', issuer: appAuthority }),
    profileSigner: makeHolder({ commonName: 'Test Profile Release', issuer: profileAuthority }),
    other: makeHolder({ commonName: 'Somebody else', issuer: appAuthority }),
  }
}

export interface HapWish {
  bundleName?: string
  versionCode?: number | null
  moduleName?: string
  moduleType?: string
  deviceTypes?: string[]
  debug?: boolean
  apiReleaseType?: string
  files?: TestEntry[]
  module?: Record<string, unknown>
}

export function moduleJson(wish: HapWish = {}): string {
  const { versionCode = 1_000_000, apiReleaseType = 'Release' } = wish
  return JSON.stringify({
    app: {
      bundleName: wish.bundleName ?? 'com.example.harmony',
      ...(versionCode === null ? {} : { versionCode }),
      versionName: '1.0.0',
      minAPIVersion: 12,
      targetAPIVersion: 14,
      apiReleaseType,
      debug: wish.debug ?? false,
      bundleType: 'app',
    },
    module: {
      name: wish.moduleName ?? 'entry',
      type: wish.moduleType ?? 'entry',
      deviceTypes: wish.deviceTypes ?? ['phone', 'tablet'],
      mainElement: 'EntryAbility',
      deliveryWithInstall: true,
      requestPermissions: [{ name: 'ohos.permission.INTERNET' }],
      abilities: [{ name: 'EntryAbility', exported: true, icon: '$media:icon', label: 'Harmony demo' }],
      ...wish.module,
    },
  })
}

/** A HAP before it is signed. */
export function makeHap(wish: HapWish = {}): Buffer {
  return makeZip([
    { name: 'module.json', data: moduleJson(wish), isDeflated: true },
    { name: 'pack.info', data: JSON.stringify({ summary: {} }) },
    { name: 'ets/modules.abc', data: 'PANDA' },
    { name: 'libs/arm64-v8a/libentry.so', data: Buffer.alloc(64, 1) },
    ...(wish.files ?? []),
  ])
}

export interface ProfileWish {
  bundleName?: string
  type?: 'debug' | 'release'
  notAfter?: number
  certificate?: Holder
}

export function profileJson(keys: HarmonyKeys, wish: ProfileWish = {}): Buffer {
  const { type = 'release', certificate = keys.developer } = wish
  const named = type === 'debug' ? 'development-certificate' : 'distribution-certificate'
  return Buffer.from(
    JSON.stringify({
      'version-name': '2.0.0',
      'version-code': 2,
      uuid: '6e5d6f4c-0000-4000-8000-000000000000',
      type,
      validity: { 'not-before': 1_577_836_800, 'not-after': wish.notAfter ?? 4_102_444_800 },
      'bundle-info': {
        'developer-id': '100123',
        [named]: certificate.pem,
        'bundle-name': wish.bundleName ?? 'com.example.harmony',
        apl: 'normal',
      },
      acls: { 'allowed-acls': ['ohos.permission.READ_PASTEBOARD'] },
      permissions: { 'restricted-permissions': [] },
      'app-distribution-type': 'app_gallery',
    }),
  )
}

const RSA_SHA256 = 0x104
const ECDSA_SHA256 = 0x201

/** Puts a signing block with signature and profile before the central directory, as the signing tool of HarmonyOS does. */
export function signHap(
  zip: Buffer,
  keys: HarmonyKeys,
  wish: ProfileWish & { signer?: Holder; chain?: Holder['chain'] } = {},
): Buffer {
  const signer = wish.signer ?? keys.developer
  const profile = signedData(profileJson(keys, wish), keys.profileSigner)
  const digest = contentDigest(zip, [profile])
  const content = Buffer.concat([u32(2, 1, 40, RSA_SHA256, digest.length), digest])
  const signature = signedData(content, signer, wish.chain)
  return insertBlocks(zip, [
    [0x20000002, profile],
    [0x20000000, signature],
  ])
}

export function insertBlocks(zip: Buffer, blocks: readonly [number, Buffer][]): Buffer {
  const headBytes = blocks.length * 12
  let offset = headBytes
  const heads = blocks.map(([type, body]) => {
    const head = u32(type, body.length, offset)
    offset += body.length
    return head
  })
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(offset + 32))
  const footer = Buffer.concat([u32(blocks.length), size, Buffer.from('<hap sign block>'), u32(3)])
  const block = Buffer.concat([...heads, ...blocks.map(([, body]) => body), footer])
  const split = zip.readUInt32LE(zip.length - 6)
  const tail = Buffer.from(zip.subarray(split))
  tail.writeUInt32LE(split + block.length, tail.length - 6)
  return Buffer.concat([zip.subarray(0, split), block, tail])
}

/** What a signature of a package signs, for a key on an elliptic curve. */
export function contentBlock(zip: Buffer, appended: readonly Buffer[]): Buffer {
  const digest = contentDigest(zip, appended)
  return Buffer.concat([u32(2, 1, 40, ECDSA_SHA256, digest.length), digest])
}

function contentDigest(zip: Buffer, appended: readonly Buffer[]): Buffer {
  const split = zip.readUInt32LE(zip.length - 6)
  const end = zip.length - 22
  const chunks = [zip.subarray(0, split), zip.subarray(split, end), zip.subarray(end)]
  const hash = (prefix: number, count: number, bytes: Buffer) =>
    createHash('sha256')
      .update(Buffer.from([prefix]))
      .update(u32(count))
      .update(bytes)
      .digest()
  const parts = chunks.map(chunk => hash(0xa5, chunk.length, chunk))
  return hash(0x5a, chunks.length, Buffer.concat([...parts, ...appended]))
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, i * 4)
  return bytes
}
