import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { solidPng } from '../apk/png.testkit.ts'
import { makeSigner } from '../apk/signature/sign-block.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { makeZip } from '../apk/zip.testkit.ts'
import type { PackageKind } from '../rules.ts'
import { makeHap, makeHarmonyKeys, signHap } from './hap.testkit.ts'
import { makePe } from './pe.testkit.ts'
import { readPackage } from './read-package.ts'
import { rpkManifest, signRpk } from './rpk.testkit.ts'

const folder = temporaryFolder()
const limitMs = 5000
const limitBytes = 200 * 1024 ** 2
/** Time at work, not time on the clock: others may keep this machine busy. */
function workMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const valid = new Map<PackageKind, Buffer>()

beforeAll(() => {
  const keys = makeHarmonyKeys()
  const hap = makeHap()
  const varint = (value: number) => Buffer.from(value < 128 ? [value] : [(value & 0x7f) | 0x80, value >> 7])
  const field = (id: number, body: Buffer | string) =>
    Buffer.concat([varint((id << 3) | 2), varint(body.length), Buffer.from(body)])
  const attribute = field(4, Buffer.concat([field(2, 'package'), field(3, 'org.example.fuzz')]))
  const manifest = field(1, Buffer.concat([field(3, 'manifest'), attribute]))
  valid.set('HAP', signHap(hap, keys))
  valid.set(
    'APP',
    signHap(
      makeZip([
        { name: 'pack.info', data: '{}' },
        { name: 'a.hap', data: hap },
      ]),
      keys,
    ),
  )
  valid.set(
    'RPK',
    signRpk(
      makeZip([
        { name: 'manifest.json', data: rpkManifest() },
        { name: 'icon.png', data: solidPng(8) },
      ]),
      makeSigner('Fuzz'),
    ),
  )
  valid.set(
    'WPK',
    makeZip([
      { name: 'index.html', data: '<p>'.repeat(100), isDeflated: true },
      { name: 'manifest.json', data: '{}' },
    ]),
  )
  valid.set(
    'AAB',
    makeZip([
      { name: 'BundleConfig.pb' },
      { name: 'base/manifest/AndroidManifest.xml', data: manifest },
      { name: 'base/resources.pb', data: field(2, field(3, field(3, ''))) },
    ]),
  )
  valid.set('EXE', makePe())
})

/** Bytes changed in place, cut out, put in, and the file cut short: what a hostile or a broken sender does. */
const mutation = fc.record({
  flips: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999999, noNaN: true }), fc.integer({ min: 0, max: 255 })), {
    maxLength: 12,
  }),
  numbers: fc.array(
    fc.tuple(
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000),
    ),
    { maxLength: 4 },
  ),
  insert: fc.option(fc.tuple(fc.double({ min: 0, max: 0.999999, noNaN: true }), fc.uint8Array({ maxLength: 64 })), {
    nil: undefined,
  }),
  keep: fc.double({ min: 0.5, max: 1, noNaN: true }),
})

function mutate(
  bytes: Buffer,
  { flips, numbers, insert, keep }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  let out = Buffer.from(bytes)
  for (const [place, value] of flips) out[Math.floor(place * out.length)] = value
  for (const [place, value] of numbers) {
    const at = Math.floor(place * out.length)
    if (at + 4 <= out.length) out.writeUInt32LE(value, at)
  }
  if (insert) {
    const at = Math.floor(insert[0] * out.length)
    out = Buffer.concat([out.subarray(0, at), insert[1], out.subarray(at)])
  }
  return keep > 0.9 ? out : out.subarray(0, Math.floor(out.length * keep))
}

it.each<PackageKind>(['HAP', 'APP', 'RPK', 'WPK', 'AAB', 'EXE'])(
  'a %s that somebody meddled with never throws, hangs, or eats memory',
  async kind => {
    const whole = valid.get(kind) ?? Buffer.alloc(0)
    const before = process.memoryUsage().rss
    await fc.assert(
      fc.asyncProperty(mutation, async change => {
        const path = await folder.write(`${kind}.bin`, mutate(whole, change))
        const startedAt = process.cpuUsage()
        const { facts } = await readPackage(kind, path, { fileName: 'a.bin', targetSdkFloor: 30 })
        expect(workMsSince(startedAt)).toBeLessThan(limitMs)
        expect(Array.isArray(facts.findings)).toBe(true)
        expect(process.memoryUsage().rss - before).toBeLessThan(limitBytes)
      }),
      { numRuns: 150, seed: 20_261_121 },
    )
  },
  120_000,
)

it.each<[string, PackageKind, () => Buffer]>([
  [
    'a manifest of millions of empty messages',
    'AAB',
    () => aab('base/manifest/AndroidManifest.xml', Buffer.alloc(7 << 20, Buffer.from([0x2a, 0]))),
  ],
  ['a manifest nested without end', 'AAB', () => aab('base/manifest/AndroidManifest.xml', nested(100_000))],
  [
    'resources of millions of entries',
    'AAB',
    () => aab('base/resources.pb', Buffer.alloc(32 << 20, Buffer.from([0x1a, 0]))),
  ],
  ['a million empty entries', 'WPK', () => makeZip(Array.from({ length: 60_000 }, (_, i) => ({ name: `f${i}` })))],
])('%s is refused in time and memory', async (_says, kind, make) => {
  const path = await folder.write('hostile.bin', make())
  const before = process.memoryUsage().rss
  const startedAt = process.cpuUsage()
  const { facts } = await readPackage(kind, path, { fileName: 'a.bin', targetSdkFloor: 30 })
  expect(workMsSince(startedAt)).toBeLessThan(limitMs)
  expect(process.memoryUsage().rss - before).toBeLessThan(limitBytes)
  expect(facts.findings.length).toBeGreaterThan(0)
})

function aab(name: string, data: Buffer): Buffer {
  const base = [{ name: 'BundleConfig.pb' }, { name: 'base/manifest/AndroidManifest.xml', data: 'x' }]
  return makeZip([...base.filter(entry => entry.name !== name), { name, data }])
}

/** An element in an element in an element. */
function nested(depth: number): Buffer {
  let body: Buffer = Buffer.alloc(0)
  const parts: Buffer[] = []
  for (let i = 0, length = 0; i < depth; i++) {
    const prefix = (tag: number, size: number) => {
      const bytes = [tag]
      for (let left = size; ; left >>>= 7) {
        if (left < 128) {
          bytes.push(left)
          break
        }
        bytes.push((left & 0x7f) | 0x80)
      }
      return Buffer.from(bytes)
    }
    const element = prefix(0x0a, length)
    const child = prefix(0x2a, length + element.length)
    parts.push(element, child)
    length += element.length + child.length
  }
  body = Buffer.concat(parts.reverse())
  return body
}
