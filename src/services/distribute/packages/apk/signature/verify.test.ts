import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.testkit.ts'
import { makeZip } from '../zip.testkit.ts'
import { openArchive } from '../zip.ts'
import {
  attribute,
  BLOCK_V2,
  BLOCK_V3,
  BLOCK_V31,
  encodeLineage,
  insertBlock,
  makeSigner,
  rotationMinSdk,
  strippingProtection,
  type TestSigner,
  v2Block,
  v3Block,
} from './sign-block.testkit.ts'
import { type SignatureReport, verifySignatures } from './verify.ts'

const folder = temporaryFolder()
const SDK_MAX = 0x7fffffff
const zip = makeZip([
  { name: 'AndroidManifest.xml', data: 'x' },
  { name: 'big', data: Buffer.alloc(3 << 20, 7) },
])
let oldest: TestSigner
let older: TestSigner
let newer: TestSigner
let stranger: TestSigner

beforeAll(() => {
  oldest = makeSigner('oldest')
  older = makeSigner('older')
  newer = makeSigner('newer')
  stranger = makeSigner('stranger')
})

async function verify(bytes: Buffer, minSdk = 24): Promise<SignatureReport> {
  const archive = await openArchive(await folder.write('signed.apk', bytes))
  const report = await verifySignatures(archive, { minSdk, targetSdk: 34, targetSandboxVersion: 1 })
  await archive.close()
  return report
}

const reasons = (report: SignatureReport) => report.errors.map(({ scheme, reason }) => `${scheme} ${reason}`)

/** v3 by the old key up to API level 32, v3.1 by the new key above. */
function rotated(claim: number | null = 33, from = 33): [number, Buffer][] {
  const attributes = claim === null ? [] : [rotationMinSdk(claim)]
  return [
    [BLOCK_V3, v3Block(zip, [{ signer: older, minSdk: 28, maxSdk: from - 1, attributes }])],
    [BLOCK_V31, v3Block(zip, [{ signer: newer, minSdk: from, maxSdk: SDK_MAX, lineage: [older, newer] }])],
  ]
}

describe('a rotated key', () => {
  test('v3 signed by the new key is proved by the lineage', async () => {
    const block = v3Block(zip, [{ signer: newer, minSdk: 28, maxSdk: SDK_MAX, lineage: [oldest, older, newer] }])
    const report = await verify(
      insertBlock(zip, [
        [BLOCK_V2, v2Block(zip, oldest)],
        [BLOCK_V3, block],
      ]),
    )
    expect(report).toMatchObject({ verified: true, scheme: 'v3', schemes: ['v3', 'v2'] })
    expect(report.signers[0]?.lineage).toHaveLength(3)
    expect(report.signers[0]?.lineage.at(-1)).toBe(report.signers[0]?.certSha256)
    expect(report.signers[0]?.lineage[0]).toBe(report.olderSigners[0]?.certSha256)
  })

  test('v3.1 decides where it is, and v3 stands for older devices', async () => {
    const report = await verify(insertBlock(zip, rotated()))
    expect(report).toMatchObject({ verified: true, scheme: 'v3.1', schemes: ['v3.1', 'v3'] })
    expect(report.signers[0]).toMatchObject({ minSdk: 33, maxSdk: null, subject: 'CN=newer' })
    expect(report.olderSigners[0]).toMatchObject({ minSdk: 28, maxSdk: 32, subject: 'CN=older' })
  })

  test('a package for new devices only needs nothing below', async () => {
    expect((await verify(insertBlock(zip, rotated()), 34)).verified).toBe(true)
  })

  test('a v3.1 block that was taken away is missed', async () => {
    const [v3] = rotated()
    expect(reasons(await verify(insertBlock(zip, v3 ? [v3] : [])))).toContain('v3 sdk-range')
    const open = v3Block(zip, [{ signer: older, minSdk: 28, maxSdk: SDK_MAX, attributes: [rotationMinSdk(33)] }])
    expect(reasons(await verify(insertBlock(zip, [[BLOCK_V3, open]])))).toEqual(['v3 stripped'])
  })

  test('a v3.1 block that starts elsewhere than v3 says is refused', async () => {
    expect(reasons(await verify(insertBlock(zip, rotated(34))))).toEqual(['v3 sdk-range'])
  })

  test('a v3.1 block without v3 is refused', async () => {
    const [, v31] = rotated()
    expect(reasons(await verify(insertBlock(zip, v31 ? [v31] : [])))).toContain('v3.1 scheme-required')
  })

  test('a link signed by somebody else is refused', async () => {
    const forged = encodeLineage([older, newer])
    const real = encodeLineage([stranger, newer])
    // The stranger's second node behind the older key's first one: its signature is not by the older key.
    const first = forged.readUInt32LE(4) + 8
    const proof = Buffer.concat([forged.subarray(0, first), real.subarray(real.readUInt32LE(4) + 8)])
    const attributes = [attribute(0x3ba06f8c, proof)]
    const block = v3Block(zip, [{ signer: newer, minSdk: 28, maxSdk: SDK_MAX, attributes }])
    expect(reasons(await verify(insertBlock(zip, [[BLOCK_V3, block]])))).toEqual(['v3 lineage'])
  })

  test('a lineage that ends with another key is refused', async () => {
    const block = v3Block(zip, [{ signer: newer, minSdk: 28, maxSdk: SDK_MAX, lineage: [newer, older] }])
    expect(reasons(await verify(insertBlock(zip, [[BLOCK_V3, block]])))).toEqual(['v3 lineage'])
  })

  test('a lineage that starts with another key than v2 is refused', async () => {
    const block = v3Block(zip, [{ signer: newer, minSdk: 28, maxSdk: SDK_MAX, lineage: [stranger, newer] }])
    const pairs: [number, Buffer][] = [
      [BLOCK_V2, v2Block(zip, older)],
      [BLOCK_V3, block],
    ]
    expect(reasons(await verify(insertBlock(zip, pairs)))).toEqual(['v3 signer-mismatch'])
  })
})

describe('API level ranges', () => {
  test('two signers may share out the levels', async () => {
    const block = v3Block(zip, [
      { signer: newer, minSdk: 30, maxSdk: SDK_MAX, lineage: [older, newer] },
      { signer: older, minSdk: 28, maxSdk: 29 },
    ])
    const report = await verify(insertBlock(zip, [[BLOCK_V3, block]]))
    expect(report.signers.map(({ subject }) => subject)).toEqual(['CN=newer', 'CN=older'])
  })

  test.each([
    ['a gap', 28, 29, 31, SDK_MAX],
    ['an overlap', 28, 30, 30, SDK_MAX],
    ['no signer for the newest devices', 28, 29, 30, 33],
    ['no signer for the oldest devices', 29, 29, 30, SDK_MAX],
  ])('%s is refused', async (_, firstMin, firstMax, secondMin, secondMax) => {
    const block = v3Block(zip, [
      { signer: older, minSdk: firstMin, maxSdk: firstMax },
      { signer: newer, minSdk: secondMin, maxSdk: secondMax, lineage: [older, newer] },
    ])
    expect(reasons(await verify(insertBlock(zip, [[BLOCK_V3, block]])))).toEqual(['v3 sdk-range'])
  })
})

describe('tampering', () => {
  test('one flipped bit anywhere in the content is found', async () => {
    const signed = insertBlock(zip, [[BLOCK_V2, v2Block(zip, older)]])
    expect((await verify(signed)).verified).toBe(true)
    for (const offset of [100, 1 << 20, (3 << 20) + 60]) {
      const changed = Buffer.from(signed)
      changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
      expect(reasons(await verify(changed))).toEqual(['v2 digest-mismatch'])
    }
  })

  test('a pair that nobody signed, such as a channel id, changes nothing', async () => {
    const channel = Buffer.from('{"channel":"loggia"}')
    const report = await verify(
      insertBlock(zip, [
        [BLOCK_V2, v2Block(zip, older)],
        [0x71777777, channel],
      ]),
    )
    expect(report.verified).toBe(true)
  })

  test('a v2 signature that names a missing v3 signature was stripped', async () => {
    const block = v2Block(zip, older, [strippingProtection(3)])
    expect(reasons(await verify(insertBlock(zip, [[BLOCK_V2, block]])))).toEqual(['v2 stripped'])
  })

  test('a package for devices below API level 24 needs v1 as well', async () => {
    const report = await verify(insertBlock(zip, [[BLOCK_V2, v2Block(zip, older)]]), 21)
    expect(reasons(report)).toEqual(['v1 scheme-required'])
  })

  test('an unsigned package says so', async () => {
    expect(reasons(await verify(zip))).toEqual(['v1 no-signature'])
  })
})
