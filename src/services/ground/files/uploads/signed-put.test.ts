import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { files } from '../contract.ts'
import { partUploads } from '../parts/contract.ts'
import { contentsOf, send, sha256Of } from '../sender.testkit.ts'
import { filesCms, filesV2, objectUploads } from './contract.ts'

const MiB = 1024 ** 2
let stage: Stage
let address: string
let sender: Person
let stranger: Person
beforeAll(async () => {
  stage = await openStage()
  address = await stage.listen()
  sender = await stage.person()
  stranger = await stage.person()
})
afterAll(() => stage.close())

interface Put {
  url: string
  headers: Record<string, string>
}

const put = (to: Put, body: Buffer, more: Record<string, string | number> = {}) =>
  send(address, to.url, { method: 'PUT', body, headers: { ...to.headers, ...more } })

async function addressFor(bytes: Buffer, withHash = true, fileName = 'a.bin') {
  const body = { fileName, size: bytes.length, ...(withHash ? { sha256: sha256Of(bytes) } : {}) }
  return (await sender.ok(objectUploads, 'makeAddress', { body })).urlInfo
}

describe('a signed address', () => {
  it('takes the bytes it was made for, without a session, once', async () => {
    const bytes = randomBytes(300_000)
    const made = await addressFor(bytes)
    const reply = await put(made, bytes)
    expect(reply.json.urlsInfo[0]).toMatchObject({ objectId: made.objectId, sha256: sha256Of(bytes), size: 300_000 })
    expect(reply.json.urlsInfo[0].url).toContain(made.objectId)
    const again = await put(made, bytes)
    expect([again.status, again.json.ret.code]).toEqual([409, 201020006])
    const [row] = await stage.sql('CN', 'SELECT state, team_id, created_by FROM file_objects WHERE object_id = $1', [
      made.objectId,
    ])
    expect(row).toEqual({ state: 'TEMP', team_id: sender.teamId, created_by: sender.accountId })
  })

  it('used twice at once makes one object', async () => {
    const [one, two] = [randomBytes(70_000), randomBytes(70_000)]
    const made = await addressFor(one, false)
    const replies = await Promise.all([put(made, one), put(made, two)])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
  })

  it('is refused with another method, path, sha256, size, time or signature', async () => {
    const bytes = randomBytes(1000)
    const made = await addressFor(bytes)
    const other = await addressFor(bytes)
    const changed: Put[] = [
      { ...made, url: made.url.replace(made.objectId, other.objectId) },
      { ...made, url: made.url.replace('size=1000', 'size=2000') },
      { ...made, url: made.url.replace(/exp=\d+/, `exp=${made.expireAt + 1}`) },
      { ...made, headers: { ...made.headers, 'x-amz-content-sha256': sha256Of(randomBytes(5)) } },
      { ...made, headers: { ...made.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
      { ...made, headers: { authorization: made.headers['authorization'] ?? '' } },
      { ...made, headers: { ...made.headers, authorization: other.headers['authorization'] ?? '' } },
      { ...made, headers: { ...made.headers, authorization: 'LOGGIA-HMAC-SHA256' } },
    ]
    for (const one of changed) {
      const reply = await put(one, bytes)
      expect([reply.status, reply.json.ret.code]).toEqual([403, 201020004])
    }
    const signature = made.headers['authorization']?.split(' ')[1] ?? ''
    const read = await send(address, `${made.url.split('?')[0]}?exp=${made.expireAt}&sig=${signature}`)
    expect(read.status).toBe(403)
    expect((await put(made, bytes)).status).toBe(200)
  })

  it('is refused other bytes, fewer and more, and can then still take the right ones', async () => {
    const bytes = randomBytes(1000)
    const made = await addressFor(bytes)
    const other = await put(made, randomBytes(1000))
    expect([other.status, other.json.ret.code]).toEqual([422, 201020002])
    for (const body of [bytes.subarray(0, 999), Buffer.concat([bytes, bytes]), Buffer.alloc(0)]) {
      const declared = await put(made, body, { 'content-length': body.length })
      expect([declared.status, declared.json.ret.code]).toEqual([422, 201020003])
    }
    const loose = await addressFor(bytes, false)
    const shorter = await put(loose, bytes.subarray(1), { 'transfer-encoding': 'chunked' })
    expect([shorter.status, shorter.json.ret.code]).toEqual([422, 201020003])
    const longer = await put(loose, Buffer.concat([bytes, bytes]), { 'transfer-encoding': 'chunked' })
    expect(longer.status).toBe(413)
    expect([(await put(made, bytes)).status, (await put(loose, bytes)).status]).toEqual([200, 200])
  })

  it('takes any content type, even one that looks like a form or JSON', async () => {
    const bytes = Buffer.from('{"files":[{"filepath":"/etc/passwd"}]}')
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'image/png']) {
      const reply = await put(await addressFor(bytes), bytes, { 'content-type': type })
      expect([reply.status, reply.json.urlsInfo?.[0].size]).toEqual([200, bytes.length])
    }
  })

  it('ends after an hour, and what came of it goes with its object', async () => {
    const person = await stage.person()
    const bytes = randomBytes(100)
    const body = { fileName: 'a', size: 100 }
    const made = (await person.ok(objectUploads, 'makeAddress', { body })).urlInfo
    const taken = (await person.ok(objectUploads, 'makeAddress', { body })).urlInfo
    await put(taken, bytes)
    await person.ok(files, 'deleteObjects', { body: { objectIds: [taken.objectId] } })
    expect((await put(taken, bytes)).status).toBe(409)
    stage.clock.turn(3_600_001)
    const late = await put(made, bytes)
    expect([late.status, late.json.ret.code]).toEqual([403, 201020005])
    ;[sender, stranger] = await Promise.all([again(sender), again(stranger)])
  })

  it('is made a hundred at a time, under every generation of the address', async () => {
    const objects = Array.from({ length: 100 }, (_, at) => ({ fileName: `${at}.png`, size: 10 }))
    const many = await sender.ok(objectUploads, 'makeAddresses', { body: { objects } })
    expect(new Set(many.urlsInfo.map(one => one.objectId)).size).toBe(100)
    const more = await sender.call(objectUploads, 'makeAddresses', { body: { objects: [...objects, ...objects] } })
    expect(more.status).toBe(400)
    const wrong = await sender.call(objectUploads, 'makeAddresses', {
      body: { objects: [objects[0], { fileName: 'x.png', size: 9 * MiB }] as typeof objects },
    })
    expect(wrong.body.fields?.[0]?.pointer).toBe('/objects/1/size')
    const body = { fileName: 'a.png', size: 10 }
    expect((await sender.ok(filesV2, 'makeAddress', { body })).urlInfo.method).toBe('PUT')
    expect((await sender.ok(filesCms, 'makeAddress', { body })).urlInfo.method).toBe('PUT')
    const headers = { 'idempotency-key': 'address' }
    const [one, two] = [
      await sender.ok(objectUploads, 'makeAddress', { body, headers }),
      await sender.ok(objectUploads, 'makeAddress', { body, headers }),
    ]
    expect(two.urlInfo).toEqual(one.urlInfo)
  })
})

describe('an upload in parts', () => {
  const bytes = randomBytes(11 * MiB + 5)
  const begin = (sha256?: string, partSize = 5 * MiB) =>
    sender.ok(partUploads, 'beginUpload', {
      body: { fileName: 'big.apk', size: bytes.length, partSize, ...(sha256 ? { sha256 } : {}) },
    })
  const bytesOf = (partNumber: number) => bytes.subarray((partNumber - 1) * 5 * MiB, partNumber * 5 * MiB)
  const md5Of = (part: Buffer) => createHash('md5').update(part).digest('hex')
  const keyOf = ({ objectId, nspUploadId }: { objectId: string; nspUploadId: string }) => ({ objectId, nspUploadId })
  const named = (parts: readonly number[]) =>
    Object.fromEntries(parts.map(part => [part, { etag: md5Of(bytesOf(part)) }]))

  it('goes on after the sender was cut in the middle of a part', async () => {
    const begun = await begin(sha256Of(bytes))
    expect(begun).toMatchObject({ partSize: 5 * MiB, partCount: 3 })
    expect(begun.parts.map(part => part.size)).toEqual([5 * MiB, 5 * MiB, MiB + 5])
    const [first, second] = begun.parts as Put[] as [Put, Put, Put]
    const sent = await put(first, bytesOf(1))
    expect([sent.json.etag, sent.headers.etag]).toEqual([md5Of(bytesOf(1)), `"${md5Of(bytesOf(1))}"`])
    const cut = await send(address, second.url, {
      method: 'PUT',
      body: bytesOf(2),
      headers: { ...second.headers, 'content-length': 5 * MiB },
      cutAfter: 2 * MiB,
    })
    expect(cut.status).toBe(0)
    const listed = await sender.ok(partUploads, 'listParts', { query: keyOf(begun) })
    expect(listed.received.map(part => [part.partNumber, part.etag])).toEqual([[1, md5Of(bytesOf(1))]])
    expect(listed.missing.map(part => part.partNumber)).toEqual([2, 3])
    for (const part of listed.missing) expect((await put(part, bytesOf(part.partNumber))).status).toBe(200)
    const composed = await sender.ok(partUploads, 'compose', { query: keyOf(begun), body: named([1, 2, 3]) })
    expect(composed.urlsInfo[0]).toMatchObject({
      objectId: begun.objectId,
      sha256: sha256Of(bytes),
      size: bytes.length,
    })
    expect(sha256Of((await send(address, composed.urlsInfo[0]?.url ?? '')).bytes)).toBe(sha256Of(bytes))
    const again = await sender.ok(partUploads, 'compose', { query: keyOf(begun), body: named([1, 2, 3]) })
    expect(again.urlsInfo[0]?.sha256).toBe(sha256Of(bytes))
    expect((await put(first, bytesOf(1))).status).toBe(404)
  })

  it('composed twice at once makes one object', async () => {
    const begun = await begin()
    for (const part of begun.parts) await put(part, bytesOf(part.partNumber))
    const request = { query: keyOf(begun), body: named([1, 2, 3]) }
    const replies = await Promise.all([1, 2, 3].map(() => sender.call(partUploads, 'compose', request)))
    expect(replies.map(reply => [reply.status, reply.body.urlsInfo?.[0]?.sha256])).toEqual(
      Array(3).fill([200, sha256Of(bytes)]),
    )
    const events = await stage.sql('CN', 'SELECT type FROM outbox WHERE entity_id = $1', [begun.objectId])
    expect(events).toEqual([{ type: 'file.uploaded' }])
  })

  it('is refused with the numbers of the parts that are missing, wrong, or none of it', async () => {
    const begun = await begin()
    const other = await begin()
    const query = keyOf(begun)
    await put(begun.parts[0] as Put, bytesOf(1))
    await put(begun.parts[2] as Put, bytesOf(3))
    const missing = await sender.call(partUploads, 'compose', { query, body: named([1, 3]) })
    expect([missing.status, missing.body.ret.code, missing.body.partNumbers]).toEqual([422, 201020008, [2]])
    expect(missing.body.ret.msg).toContain('PART_MISSING')
    await put(begun.parts[1] as Put, bytesOf(1))
    const unnamed = await sender.call(partUploads, 'compose', { query, body: named([1, 2]) })
    expect(unnamed.body.partNumbers).toEqual([3])
    const wrong = await sender.call(partUploads, 'compose', { query, body: named([1, 2, 3]) })
    expect([wrong.status, wrong.body.ret.code, wrong.body.partNumbers]).toEqual([422, 201020009, [2]])
    await put(begun.parts[1] as Put, bytesOf(2))
    const foreign = { ...named([1, 2, 3]), 2: { etag: md5Of(bytesOf(2)), partObjectId: `${other.nspUploadId}-2` } }
    expect((await sender.call(partUploads, 'compose', { query, body: foreign })).body.partNumbers).toEqual([2])
    const beyond = await sender.call(partUploads, 'compose', { query, body: { ...named([1, 2, 3]), 4: { etag: 'x' } } })
    expect([beyond.status, beyond.body.ret.code, beyond.body.partNumbers]).toEqual([422, 201020010, [4]])
    for (const part of ['0', '100000', '-1', '1.5', '__proto__']) {
      const body = JSON.parse(`{"${part}":{"etag":"x"}}`) as Record<string, { etag: string }>
      expect((await sender.call(partUploads, 'compose', { query, body })).status).toBe(400)
    }
    const mixed = await sender.call(partUploads, 'compose', {
      query: { objectId: begun.objectId, nspUploadId: other.nspUploadId },
      body: named([1, 2, 3]),
    })
    expect(mixed.status).toBe(404)
  })

  it('whose whole is not what was promised makes no object', async () => {
    const begun = await begin('a'.repeat(64))
    for (const part of begun.parts) await put(part, bytesOf(part.partNumber))
    const reply = await sender.call(partUploads, 'compose', { query: keyOf(begun), body: named([1, 2, 3]) })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 201020002])
  })

  it('takes a part only of its size and under its own address', async () => {
    const begun = await begin()
    const [first, second] = begun.parts as Put[] as [Put, Put, Put]
    const short = await put(first, bytesOf(3))
    expect([short.status, short.json.ret.code]).toEqual([422, 201020003])
    const swapped = await put({ ...first, headers: second.headers }, bytesOf(1))
    expect(swapped.status).toBe(403)
    const none = await put({ ...first, url: first.url.replace(/\/1\?/, '/0?') }, bytesOf(1))
    expect(none.status).toBe(400)
    const more = await sender.call(partUploads, 'makePartAddresses', { body: { ...keyOf(begun), partNumbers: [2, 4] } })
    expect([more.status, more.body.partNumbers]).toEqual([422, [4]])
    const fresh = await sender.ok(partUploads, 'makePartAddresses', { body: { ...keyOf(begun), partNumbers: [2] } })
    expect((await put(fresh.parts[0] as Put, bytesOf(2))).status).toBe(200)
  })

  it('of another team is not there', async () => {
    const begun = await begin()
    const key = keyOf(begun)
    const replies = await Promise.all([
      stranger.call(partUploads, 'listParts', { query: key }),
      stranger.call(partUploads, 'makePartAddresses', { body: { ...key, partNumbers: [1] } }),
      stranger.call(partUploads, 'compose', { query: key, body: named([1, 2, 3]) }),
      stranger.call(partUploads, 'abortUpload', { body: key }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404, 404])
  })

  it('that is given up frees its parts, however often', async () => {
    const begun = await begin()
    await put(begun.parts[0] as Put, bytesOf(1))
    const held = await sender.call(files, 'deleteObjects', { body: { objectIds: [begun.objectId] } })
    expect([held.status, held.body.allowedActions]).toEqual([422, ['abort']])
    await sender.ok(partUploads, 'abortUpload', { body: keyOf(begun) })
    await sender.ok(partUploads, 'abortUpload', { body: keyOf(begun) })
    expect((await put(begun.parts[1] as Put, bytesOf(2))).status).toBe(404)
    const late = await sender.call(partUploads, 'compose', { query: keyOf(begun), body: named([1, 2, 3]) })
    expect(late.status).toBe(404)
    await expect(stage.booted.server.bytes('CN').joinParts(begun.nspUploadId, [1], { limitBytes: 1 })).rejects.toThrow()
    const parts = await stage.sql('CN', 'SELECT 1 FROM file_parts WHERE upload_id = $1', [begun.nspUploadId])
    expect(parts).toEqual([])
  })

  it('given up while it is composed is either whole or gone', async () => {
    const begun = await begin()
    for (const part of begun.parts) await put(part, bytesOf(part.partNumber))
    const [composed, aborted] = await Promise.all([
      sender.call(partUploads, 'compose', { query: keyOf(begun), body: named([1, 2, 3]) }),
      sender.call(partUploads, 'abortUpload', { body: keyOf(begun) }),
    ])
    expect([
      [200, 404],
      [404, 200],
    ]).toContainEqual([composed.status, aborted.status])
    const [row] = await stage.sql<{ state: string }>('CN', 'SELECT state FROM file_objects WHERE object_id = $1', [
      begun.objectId,
    ])
    expect(row?.state).toBe(composed.status === 200 ? 'TEMP' : 'DELETED')
  })

  it('that nobody goes on with ends after seven days', async () => {
    const begun = await begin()
    await put(begun.parts[0] as Put, bytesOf(1))
    stage.clock.turn(7 * 24 * 3_600_000 + 1)
    await stage.booted.worker.sweep()
    ;[sender, stranger] = await Promise.all([again(sender), again(stranger)])
    expect((await sender.call(partUploads, 'listParts', { query: keyOf(begun) })).status).toBe(404)
    expect(await stage.sql('CN', 'SELECT 1 FROM file_parts WHERE upload_id = $1', [begun.nspUploadId])).toEqual([])
    expect(await contentsOf(stage, 'CN', bytesOf(1))).toBe(false)
  })
})

/** A session anew for the same team: turning the clock ends the old one. */
async function again(person: Person): Promise<Person> {
  const anew = await stage.person({ team: person.teamId, roles: ['leader'] })
  return anew
}
