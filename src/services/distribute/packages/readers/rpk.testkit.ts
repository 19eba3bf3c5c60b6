import { createHash, sign } from 'node:crypto'
import type { TestSigner } from '../apk/signature/sign-block.testkit.ts'

const RSA_SHA256 = 0x0103

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
const prefixed = (...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length), body])
}
const list = (items: Buffer[]) => prefixed(...items.map(item => prefixed(item)))

/** Signs a quick app as its own tools do: entries, directory and end are one chunk each. */
export function signRpk(zip: Buffer, signer: TestSigner): Buffer {
  const split = zip.readUInt32LE(zip.length - 6)
  const end = zip.length - 22
  const hash = (prefix: number, count: number, bytes: Buffer) =>
    createHash('sha256')
      .update(Buffer.from([prefix]))
      .update(u32(count))
      .update(bytes)
      .digest()
  const sections = [zip.subarray(0, split), zip.subarray(split, end), zip.subarray(end)]
  const digest = hash(0x5a, 3, Buffer.concat(sections.map(section => hash(0xa5, section.length, section))))
  const data = Buffer.concat([
    list([Buffer.concat([u32(RSA_SHA256), prefixed(digest)])]),
    list([signer.certificate]),
    u32(0),
  ])
  const signature = Buffer.concat([u32(RSA_SHA256), prefixed(sign('sha256', data, signer.privateKey))])
  const value = list([Buffer.concat([prefixed(data), list([signature]), prefixed(signer.publicKey)])])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(value.length + 4))
  const pairs = Buffer.concat([length, u32(0x01000101), value])
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(pairs.length + 24))
  const block = Buffer.concat([size, pairs, size, Buffer.from('RPK Sig Block 42')])
  const tail = Buffer.from(zip.subarray(split))
  tail.writeUInt32LE(split + block.length, tail.length - 6)
  return Buffer.concat([zip.subarray(0, split), block, tail])
}

/** What a quick app says of itself. */
export const rpkManifest = (more: Record<string, unknown> = {}) =>
  JSON.stringify({
    package: 'com.example.quick',
    name: 'Quick',
    versionName: '1.2.0',
    versionCode: 12,
    minPlatformVersion: 1070,
    icon: '/icon.png',
    features: [{ name: 'system.router' }, { name: 'system.network' }],
    permissionDesc: { 'system.geolocation': 'to find shops' },
    config: { logLevel: 'off' },
    router: { entry: 'Home', pages: { Home: { component: 'index' } } },
    ...more,
  })
