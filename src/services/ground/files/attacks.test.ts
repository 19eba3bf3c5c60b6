import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { files } from './contract.ts'
import { credentials, form, pngHead, send } from './sender.testkit.ts'

let stage: Stage
let address: string
let sender: Person
beforeAll(async () => {
  stage = await openStage()
  address = await stage.listen()
  sender = await stage.person()
})
afterAll(() => stage.close())

const path = `${files.prefix}/upload/object`
const post = (sent: { headers?: Record<string, string>; body: Buffer }, to = path) =>
  send(address, to, { method: 'POST', body: sent.body, headers: { ...credentials(sender), ...sent.headers } })
const bytes = Buffer.from('hello')

describe('a hostile upload', () => {
  it.each([
    ['../../../../tmp/loggia-escaped', 'loggia-escaped'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/etc/passwd', 'passwd'],
    ['....//....//x', 'x'],
    ['..', 'file'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie_ x=1.txt'],
    ['x"; filename="evil.html', 'x__ filename=_evil.html'],
    ['a\u0000.txt', 'a.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['<img src=x onerror=alert(1)>', '_img src=x onerror=alert(1)_'],
    [`${'я'.repeat(240)}.apk`, `${'я'.repeat(180)}.apk`],
  ])('named %j is kept as %j and its header is one line', async (name, kept) => {
    const reply = await post({ body: bytes }, `${path}?fileName=${encodeURIComponent(name)}`)
    expect(reply.json.urlsInfo?.[0].fileName).toBe(kept)
    const read = await send(address, reply.json.urlsInfo[0].url)
    expect(read.status).toBe(200)
    expect(read.headers['set-cookie']).toBeUndefined()
    expect(read.headers['content-disposition']).toMatch(
      /^attachment; filename="[^"\\%\r\n]*"; filename\*=UTF-8''[^";]+$/,
    )
    expect(existsSync('/tmp/loggia-escaped')).toBe(false)
  })

  it.each([
    ['../../x', `form-data; name="file"; filename="../../x"`],
    ['two names', `form-data; name="file"; filename="a"; filename="b"`],
    ['an RFC 5987 name', `form-data; name="file"; filename*=UTF-8''..%2F..%2Fx`],
    ['a quote in the name', `form-data; name="file"; filename="\\"; filename=\\"b"`],
  ])('as a form with %s stays inside', async (_what, head) => {
    const reply = await post(form([], { name: '', bytes, head }))
    expect(reply.status).toBe(200)
    expect(reply.json.urlsInfo[0].fileName).not.toMatch(/[/\\"]|\.\./)
  })

  it('that is JSON with the path of a file is only bytes', async () => {
    const body = Buffer.from(JSON.stringify({ files: [{ filepath: '/etc/passwd' }] }))
    const reply = await post({ body, headers: { 'content-type': 'application/json' } })
    expect(reply.json.urlsInfo[0]).toMatchObject({ size: body.length, mime: 'application/octet-stream' })
    expect((await send(address, reply.json.urlsInfo[0].url)).bytes.equals(body)).toBe(true)
  })

  it.each([
    [
      'ten thousand fields',
      form(
        Array.from({ length: 10_000 }, (_, at) => [`f${at}`, 'x']),
        { name: 'a', bytes },
      ),
    ],
    ['a field __proto__', form([['__proto__', 'x']], { name: 'a', bytes })],
    ['a field constructor', form([['constructor', 'x']], { name: 'a', bytes })],
    ['the file as text', form([['file', 'hello']], null)],
    ['no part at all', form([], null)],
    ['a tag that is none', form([['bizTag', 'root']], { name: 'a', bytes })],
    ['a sha256 that is none', form([['sha256', 'x']], { name: 'a', bytes })],
  ])('as a form with %s is refused with a word on it', async (_what, sent) => {
    const before = await stage.sql('CN', 'SELECT count(*) FROM file_objects')
    const reply = await post(sent)
    expect(reply.status).toBe(400)
    expect(reply.json.fields[0].message).not.toBe('')
    expect(await stage.sql('CN', 'SELECT count(*) FROM file_objects')).toEqual(before)
  })

  it('as a form with two files, without its end, or without a boundary is refused', async () => {
    const one = form([], { name: 'a', bytes })
    const twice = Buffer.concat([one.body.subarray(0, one.body.lastIndexOf('------loggia9f3b--')), one.body])
    const cut = one.body.subarray(0, one.body.length - 30)
    for (const sent of [
      { ...one, body: twice },
      { ...one, body: cut },
      { body: one.body, headers: { 'content-type': 'multipart/form-data' } },
    ]) {
      const reply = await post(sent)
      expect(reply.status, reply.bytes.toString()).toBe(400)
    }
    expect((await post(one)).status).toBe(200)
  })

  it('as a form to a call of JSON is refused', async () => {
    const reply = await post(form([['fileName', 'x']], { name: 'a', bytes }), `${files.prefix}/upload/object/url`)
    expect(reply.status).toBe(415)
  })

  it.each([
    ['<html><script>alert(1)</script>', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml;charset=utf-8'],
    ['<?xml version="1.0"?><x/>', 'text/xml'],
    ['%PDF-1.7 js', 'application/x-shockwave-flash'],
  ])('%s sent as %s never comes back as an active type', async (text, type) => {
    const body = Buffer.from(text)
    const reply = await post({ body, headers: { 'content-type': type } }, `${path}?fileName=x.html`)
    const read = await send(address, reply.json.urlsInfo[0].url)
    expect(read.headers['content-type']).toMatch(/^application\/(octet-stream|pdf)$/)
    expect(read.headers['content-disposition']).toMatch(/^attachment/)
    expect(read.headers['content-security-policy']).toContain('sandbox')
  })

  it('of an image that lies about its chunks ends', async () => {
    const lying = Buffer.concat([pngHead(10, 10).subarray(0, 33), Buffer.from('00000000494441540000', 'hex')])
    expect((await post({ body: lying })).status).toBe(200)
    const jpeg = Buffer.from('ffd8ffe00000ffe00000ffe00000', 'hex')
    expect((await post({ body: jpeg })).status).toBe(200)
  })

  it.each([
    'cn/../../../etc/passwd',
    'cn/2026010112/x.apk',
    'CN/2026010112/0b9a3f0e-6f0a-4c0e-9d6e-3a1f0c9d2b11.apk',
    `cn/2026010112/${'a'.repeat(1025)}`,
    'cn//2026010112/0b9a3f0e-6f0a-4c0e-9d6e-3a1f0c9d2b11.apk',
    'cn/2026010112/0b9a3f0e-6f0a-4c0e-9d6e-3a1f0c9d2b11.apk\u0000',
    '🚀',
  ])('the id %j is no id', async objectId => {
    expect((await sender.call(files, 'makeDownloadAddress', { body: { objectId } })).status).toBe(400)
    expect((await sender.call(files, 'deleteObjects', { body: { objectIds: [objectId] } })).status).toBe(400)
  })
})
