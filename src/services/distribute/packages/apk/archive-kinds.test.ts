import { expect, test } from 'vitest'
import { finding, findingRows } from './findings.ts'
import { inspectApk } from './inspect.ts'
import { temporaryFolder } from './temporary-folder.testkit.ts'
import { makeZip, type TestEntry } from './zip.testkit.ts'

const folder = temporaryFolder()

async function inspect(bytes: Buffer) {
  return inspectApk(await folder.write('kind.apk', bytes))
}

test.each<[string, TestEntry[], number]>([
  ['an archive without manifest', [{ name: 'a.txt' }], 994],
  ['an empty archive', [], 994],
  ['a bundle', [{ name: 'BundleConfig.pb' }, { name: 'base/manifest/AndroidManifest.xml' }], 995],
  ['a HarmonyOS package', [{ name: 'module.json' }], 995],
  ['a set of APKs', [{ name: 'base.apk' }], 995],
])('%s is no APK', async (_, entries, code) => {
  expect((await inspect(makeZip(entries))).findings).toMatchObject([{ code, severity: 'BLOCK' }])
})

test('a file that is no archive is no package, and keeps its size', async () => {
  const report = await inspect(Buffer.from('hello'))
  expect(report).toMatchObject({
    sizeBytes: 5,
    manifest: null,
    findings: [{ code: 991, params: { anomaly: 'not-a-zip' } }],
  })
})

test('a manifest that cannot be parsed is reported beside everything else', async () => {
  const entries = [
    { name: 'AndroidManifest.xml', data: '<manifest/>' },
    { name: 'resources.arsc', data: 'nothing' },
  ]
  const codes = (await inspect(makeZip([...entries, { name: '../x' }]))).findings.map(({ code }) => code)
  expect(codes).toEqual([996, 1101, 1113, 1116])
})

test('a manifest that expands without end is cut off', async () => {
  const bomb = { name: 'AndroidManifest.xml', data: Buffer.alloc(40 << 20), isDeflated: true, claimedBytes: 2000 }
  const codes = (await inspect(makeZip([bomb]))).findings.map(({ code }) => code)
  expect(codes).toEqual([996, 1101, 1113])
})

test('every finding names its values in its sentence', () => {
  expect(finding(1109, { targetSdk: 21, floor: 29 })).toEqual({
    code: 1109,
    severity: 'WARN',
    appliesTo: 'ANY',
    detail: 'The package targets API level 21; the store asks for 29 or above.',
    params: { targetSdk: 21, floor: 29 },
  })
  for (const { sentence } of Object.values(findingRows)) expect(sentence).toMatch(/^[A-Z{].*\.$/)
})
