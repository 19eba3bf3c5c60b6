import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './temporary-folder.testkit.ts'
import { makeZip } from './zip.testkit.ts'
import { openArchive } from './zip.ts'
import { ZipRefusal } from './zip-anomaly.ts'
import { scanEntries } from './zip-scan.ts'

const folder = temporaryFolder()
const MEBIBYTE = 1 << 20

async function refusalOf(bytes: Buffer): Promise<string> {
  const path = await folder.write('refused.zip', bytes)
  const archive = await openArchive(path).catch((error: unknown) => error)
  return archive instanceof ZipRefusal ? archive.anomaly.reason : 'opened'
}

async function anomaliesOf(bytes: Buffer): Promise<string[]> {
  const archive = await openArchive(await folder.write('doubted.zip', bytes))
  const found = [...archive.anomalies, ...(await scanEntries(archive))]
  await archive.close()
  return [...new Set(found.map(({ reason }) => reason))]
}

describe('a file that is no whole archive is refused with its reason', () => {
  const good = makeZip([{ name: 'a.txt', data: 'hello' }])

  test('an empty file', async () => expect(await refusalOf(Buffer.alloc(0))).toBe('empty'))
  test('a text file', async () => expect(await refusalOf(Buffer.from('no archive at all'))).toBe('not-a-zip'))
  test('an archive cut in the directory', async () => expect(await refusalOf(good.subarray(0, -30))).toBe('truncated'))
  test('an archive cut in the comment', async () => {
    const commented = makeZip([{ name: 'a' }], { comment: Buffer.alloc(50) })
    expect(await refusalOf(commented.subarray(0, -10))).toBe('truncated')
  })
  test('an archive with bytes behind its end', async () => {
    expect(await refusalOf(Buffer.concat([good, Buffer.alloc(40, 1)]))).toBe('trailing-bytes')
  })
  test('a claim of a million entries in a few bytes', async () => {
    expect(await refusalOf(makeZip([{ name: 'a' }], { claimedEntries: 1_000_000, isZip64: true }))).toBe('entry-count')
  })
  test('a claim of fewer entries than there are', async () => {
    expect(await refusalOf(makeZip([{ name: 'a' }, { name: 'b' }], { claimedEntries: 1 }))).toBe('entry-count')
  })
  test('more than 65,535 entries without zip64', async () => {
    const many = Array.from({ length: 65_537 }, (_, i) => ({ name: String(i) }))
    expect(await refusalOf(makeZip(many, { claimedEntries: 1 }))).toBe('too-many-entries')
  })
  test('a file that is not there is an error, not a refusal', async () => {
    await expect(openArchive(folder.path('nowhere.zip'))).rejects.toThrow('ENOENT')
  })
})

describe('an archive that cannot be trusted says why', () => {
  const zeros = Buffer.alloc(8 * MEBIBYTE)

  test('a good archive has no anomaly', async () => {
    const entries = [
      { name: 'a.txt', data: 'hello' },
      { name: 'dir/' },
      { name: 'b', data: 'x'.repeat(9000), isDeflated: true },
    ]
    expect(await anomaliesOf(makeZip(entries))).toEqual([])
  })
  test('a good zip64 archive has no anomaly', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: 'hello' }], { isZip64: true }))).toEqual([])
  })
  test('an encrypted entry', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: 'x', flags: 1 }]))).toEqual(['encrypted'])
  })
  test('two entries of one name', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a' }, { name: 'a' }]))).toEqual(['duplicate-name'])
  })
  test.each([
    '../a',
    'a/../../b',
    'a\\b',
    '/etc/passwd',
    'C:/a',
    'a\0b',
    'a\nb',
    '%2e%2e/a',
    '..%2fa',
    '%252e%252e%252fa',
  ])('the name %j', async name => expect(await anomaliesOf(makeZip([{ name }]))).toEqual(['unsafe-name']))
  test.each(['a..b/c', '...', 'res/100%.png', 'assets/%41.txt', 'ключ/文件.txt'])('the name %j is fine', async name =>
    expect(await anomaliesOf(makeZip([{ name }]))).toEqual([]),
  )
  test('entries that share bytes', async () => {
    const entries = [
      { name: 'aa', data: 'x'.repeat(100) },
      { name: 'bb', data: 'y'.repeat(100), headerOffset: 0 },
    ]
    expect(await anomaliesOf(makeZip(entries))).toContain('overlap')
  })
  test('a quine-like archive whose entries reach into the next ones', async () => {
    const inner = makeZip([{ name: 'b', data: 'y'.repeat(64) }]).subarray(0, 95)
    const entries = [
      { name: 'a', data: inner },
      { name: 'b', data: 'y'.repeat(64), headerOffset: 31 },
    ]
    expect(await anomaliesOf(makeZip(entries))).toContain('overlap')
  })
  test('an entry that expands a thousand times and says so', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: zeros, isDeflated: true }]))).toEqual(['ratio'])
  })
  test('an entry that expands a thousand times and claims to be small', async () => {
    const bomb = { name: 'a', data: zeros, isDeflated: true, claimedBytes: 100 }
    expect(await anomaliesOf(makeZip([bomb]))).toEqual(['ratio'])
  })
  test('a bomb behind a claim that is just allowed', async () => {
    const bomb = { name: 'a', data: Buffer.alloc(40 * MEBIBYTE), isDeflated: true, claimedBytes: 4 * MEBIBYTE - 1000 }
    expect(await anomaliesOf(makeZip([bomb]))).toEqual(['ratio'])
  })
  test('more than 8 GiB claimed over many entries', async () => {
    const body = deflateRawSync(Buffer.from('x'))
    const entries = Array.from({ length: 3 }, (_, i) => ({
      name: `${i}`,
      data: body,
      method: 8,
      claimedBytes: 0xfffffff0,
    }))
    expect(await anomaliesOf(makeZip(entries))).toContain('expanded-size')
  })
  test('an entry that expands to another size than it claims', async () => {
    const data = createHash('shake256', { outputLength: 20_000 }).digest()
    expect(await anomaliesOf(makeZip([{ name: 'a', data, isDeflated: true, claimedBytes: 19_000 }]))).toEqual([
      'size-mismatch',
    ])
  })
  test('an entry that cannot be expanded', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: Buffer.alloc(5000, 0xff), method: 8 }]))).toEqual([
      'corrupt-entry',
    ])
  })
  test('another name in the local header', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'classes.dex', localName: 'classes.txt' }]))).toEqual(['local-header'])
  })
  test('another method in the local header', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: 'x', localMethod: 8 }]))).toEqual(['local-header'])
  })
  test('a method other than stored and deflated', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: 'x', method: 14 }]))).toEqual(['method'])
  })
  test('a symbolic link', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a', data: '/etc/passwd', mode: 0o120777 }]))).toEqual(['symlink'])
  })
  test('two end records that both fit', async () => {
    const decoy = makeZip([])
    expect(await anomaliesOf(makeZip([{ name: 'a' }], { comment: decoy, claimedEntries: 1 }).subarray())).toContain(
      'ambiguous-end',
    )
  })
  test('bytes between the directory and the end', async () => {
    expect(await anomaliesOf(makeZip([{ name: 'a' }], { gap: Buffer.alloc(8) }))).toEqual(['gap-before-end'])
  })
  test('an archive inside the archive is bytes like any other', async () => {
    const bomb = makeZip([{ name: 'a', data: zeros, isDeflated: true }])
    expect(
      await anomaliesOf(
        makeZip([
          { name: 'inner.zip', data: bomb },
          { name: 'z', data: makeZip([]) },
        ]),
      ),
    ).toEqual([])
  })
})

describe('single entries are read within a limit', () => {
  const text = 'All work and no play. '.repeat(500)

  test('stored, deflated and from the head', async () => {
    const entries = [
      { name: 's', data: text },
      { name: 'd', data: text, isDeflated: true },
    ]
    const archive = await openArchive(await folder.write('read.zip', makeZip(entries)))
    for (const entry of archive.entries) {
      expect((await archive.readEntry(entry, MEBIBYTE)).toString()).toBe(text)
      expect((await archive.readEntryHead(entry, 20)).toString()).toBe(text.slice(0, 20))
      const chunks: Buffer[] = []
      for await (const chunk of archive.streamEntry(entry)) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toBe(text)
      await expect(archive.readEntry(entry, 1000)).rejects.toThrow('expanded-size')
    }
    await archive.close()
  })
  test('a stream may be left early', async () => {
    const data = Buffer.from(Array.from({ length: 3 * MEBIBYTE }, (_, i) => (i * i * 31) % 251))
    const archive = await openArchive(await folder.write('early.zip', makeZip([{ name: 'd', data, isDeflated: true }])))
    for (const entry of archive.entries)
      for await (const chunk of archive.streamEntry(entry)) if (chunk.length > 0) break
    await archive.close()
  })
})
