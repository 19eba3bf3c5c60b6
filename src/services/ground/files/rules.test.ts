import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import { bizTagOf, fileCycle, fileStates, planParts, sizeOfPart, statesBefore } from './rules.ts'
import { sniff } from './sniff.ts'

const MiB = 1024 ** 2
const latin = (text: string) => Buffer.from(text, 'latin1')

describe('the life of a file', () => {
  it.each([
    ['INIT', ['receive', 'delete']],
    ['UPLOADING', ['compose', 'abort']],
    ['TEMP', ['delete']],
    ['NORMAL', []],
    ['DELETED', []],
  ] as const)('%s lets people do %j', (state, actions) => {
    expect(allowedActions(fileCycle, state, permission => permission === 'files.upload')).toEqual(actions)
  })

  it('never ends while something refers to it', () => {
    for (const action of ['delete', 'expire', 'abort'] as const) {
      expect(moveFor(fileCycle, 'NORMAL', action, () => true)).toBeUndefined()
      expect(statesBefore(action)).not.toContain('NORMAL')
    }
    expect(fileStates).toHaveLength(5)
  })
})

describe('parts', () => {
  it.each([
    [1, undefined, 8 * MiB, 1, 1],
    [8 * MiB, undefined, 8 * MiB, 1, 8 * MiB],
    [8 * MiB + 1, undefined, 8 * MiB, 2, 1],
    [4 * 1024 * MiB, 5 * MiB, 5 * MiB, 820, MiB],
  ])('of %i bytes wanted in %s are of %i, %i of them, the last of %i', (size, wanted, partSize, partCount, last) => {
    const plan = planParts(size, wanted)
    expect(plan).toEqual({ partSize, partCount })
    expect(sizeOfPart({ sizeBytes: size, ...plan }, partCount)).toBe(last)
  })
})

describe('a file without a tag', () => {
  it.each([
    ['a.APK', 'app_pkg'],
    ['a.tar.gz', 'tmp'],
    ['icon.WebP', 'app_img'],
    ['film.mov', 'app_video'],
    ['key.p12', 'app_cert'],
    ['noextension', 'tmp'],
  ])('%s is for %s', (name, tag) => {
    expect(bizTagOf(name)).toBe(tag)
  })
})

describe('the first bytes', () => {
  const vp8x = (flags: number) =>
    latin(
      `RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00${String.fromCharCode(flags)}\x00\x00\x00\xff\x03\x00\xff\x01\x00`,
    )
  it.each([
    [
      'jpeg',
      latin('\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc2\x00\x11\x08\x01\x00\x02\x00\x03\x01'),
      'image/jpeg',
      512,
      256,
    ],
    ['webp, extended', vp8x(0), 'image/webp', 1024, 512],
    ['webp, lossless', latin('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xd7\xc0\x35\x00\0\0\0\0\0'), 'image/webp', 216, 216],
    ['webp, lossy', latin('RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\xd0\x02\x00\x05'), 'image/webp', 720, 1280],
    ['mp4', latin('\0\0\0\x20ftypisom\0\0\0\0'), 'video/mp4', null, null],
    ['mov', latin('\0\0\0\x14ftypqt  '), 'video/quicktime', null, null],
    ['bundle', latin('PK\x03\x04..base/manifest/AndroidManifest.xml..BundleConfig.pb'), 'application/zip', null, null],
    ['m4v', latin('\0\0\0\x14ftypM4V '), 'video/mp4', null, null],
    ['heic', latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'application/octet-stream', null, null],
    [
      'xml',
      latin('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
      'application/octet-stream',
      null,
      null,
    ],
    ['html', latin('<!doctype html>'), 'application/octet-stream', null, null],
    ['nothing', latin(''), 'application/octet-stream', null, null],
  ])('of %s', async (_what, head, mime, width, height) => {
    expect(await sniff(head, null)).toMatchObject({ mime, width, height })
  })

  it('tell an animated image', async () => {
    const png = (chunk: string) => latin(`\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${'\0'.repeat(17)}\0\0\0\0${chunk}\0\0\0\0`)
    const found = await Promise.all([vp8x(2), vp8x(0), png('acTL'), png('IDAT')].map(head => sniff(head, null)))
    expect(found.map(one => one.isAnimated)).toEqual([true, false, true, false])
  })

  it('of a long zip may name the manifest at its end only', async () => {
    const head = latin('PK\x03\x04res/a.png')
    expect((await sniff(head, latin('AndroidManifest.xml'))).mime).toBe('application/vnd.android.package-archive')
    expect((await sniff(head, latin('else'))).mime).toBe('application/zip')
  })
})
