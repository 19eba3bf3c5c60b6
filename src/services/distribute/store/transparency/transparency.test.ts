import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { changeRecord, type OnShelf, putOnShelf } from '../shelf.testkit.ts'
import { transparency } from './contract.ts'
import { appendRelease } from './log.ts'
import {
  fromBase64,
  fromHex,
  type Hash,
  hashLeaf,
  hashNode,
  isConsistent,
  leafOf,
  rootOfInclusion,
  toHex,
} from './rules.ts'

const hash: Hash = bytes => createHash('sha256').update(bytes).digest()
let stage: Stage
const published: OnShelf[] = []

beforeAll(async () => {
  stage = await openStage()
  for (let at = 0; at < 7; at++)
    published.push(await putOnShelf(stage, { packageName: `com.example.t${at}`, versionCode: '1' }))
  await stage.settle()
})
afterAll(() => stage.close())

const head = () => stage.anybody.ok(transparency, 'getLogHead', {})
const inclusion = (sha256: string) => stage.anybody.ok(transparency, 'proveInclusion', { query: { sha256 } })

/** What a client does with the bytes it was given: is there a line, and does its proof lead to the signed root? */
async function isLogged(bytes: Buffer): Promise<boolean> {
  const { head: signed, list } = await inclusion(createHash('sha256').update(bytes).digest('hex'))
  const [found] = list
  if (!found) return false
  const place = { position: found.entry.position, size: signed.size }
  const root = rootOfInclusion(hash, hashLeaf(hash, leafOf(found.entry)), place, found.proof.map(fromHex))
  return root !== null && toHex(root) === signed.root
}

describe('the log of releases', () => {
  it('has a line for every package that went on the shelf, whose proof leads to the signed root', async () => {
    const { total, list } = await stage.anybody.ok(transparency, 'listLogEntries', { query: { pageSize: 100 } })
    expect(total).toBe(7)
    expect(list.map(one => [one.position, one.packageName, one.sha256, one.signer])).toEqual(
      published.map((one, at) => [at, one.packageName, one.sha256, 'a'.repeat(64)]),
    )
    for (const one of published) expect(await isLogged(one.bytes)).toBe(true)
    expect(await isLogged(randomBytes(5_000))).toBe(false)
  })

  it('is listed page by page from either end, or for one package', async () => {
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const query = { order: 'newest' as const, pageSize: 3, ...(cursor ? { cursor } : {}) }
      const page = await stage.anybody.ok(transparency, 'listLogEntries', { query })
      seen.push(...page.list.map(one => one.position))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
    const query = { packageName: 'com.example.t3' }
    expect((await stage.anybody.ok(transparency, 'listLogEntries', { query })).list).toHaveLength(1)
  })

  it('is signed as public logs are: a checkpoint with an Ed25519 note, the same beside the index', async () => {
    const { checkpoint, origin, publicKey, size, root } = await head()
    const [text, signed] = [checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1), checkpoint.split('\n\n')[1] ?? '']
    expect(text.split('\n').slice(0, 3)).toEqual([origin, String(size), Buffer.from(root, 'hex').toString('base64')])
    const [dash, name, note] = signed.trim().split(' ')
    const bytes = Buffer.from(fromBase64(note ?? ''))
    const raw = Buffer.from(publicKey, 'base64')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    expect([dash, name]).toEqual(['—', origin])
    expect(verify(null, Buffer.from(text), key, bytes.subarray(4))).toBe(true)
    expect(verify(null, Buffer.from(text.replace(`\n${size}\n`, `\n${size - 1}\n`)), key, bytes.subarray(4))).toBe(
      false,
    )
    const beside = await stage.app.inject('/fdroid/all/repo/transparency/checkpoint')
    expect(beside.body).toBe(checkpoint)
    const [sealed] = await stage.sql<{ sealed_key: string }>(
      'home',
      "SELECT sealed_key FROM store_signing_keys WHERE name = 'transparency'",
    )
    expect(sealed?.sealed_key).not.toContain('PRIVATE')
  })

  it('only grows: what it said before is the beginning of what it says now', async () => {
    const before = await head()
    const one = await putOnShelf(stage, { packageName: 'com.example.next', versionCode: '1' })
    await changeRecord(stage, one, 'priority = 1')
    await stage.settle()
    const now = await head()
    expect(now.size).toBe(before.size + 1)
    const query = { first: before.size, second: now.size }
    const { proof } = await stage.anybody.ok(transparency, 'proveConsistency', { query })
    const sizes = [before, now].map(one => ({ size: one.size, root: fromHex(one.root) }))
    expect(isConsistent(hash, sizes[0] as never, sizes[1] as never, proof.map(fromHex))).toBe(true)
    const beyond = { first: 0, second: now.size + 1 }
    expect((await stage.anybody.call(transparency, 'proveConsistency', { query: beyond })).status).toBe(422)
    const backwards = { first: 2, second: 1 }
    expect((await stage.anybody.call(transparency, 'proveConsistency', { query: backwards })).status).toBe(422)
  })

  it('gives each line one place when many are added at once', async () => {
    const start = (await head()).size
    const release = (at: number) => ({
      packageName: `com.example.many${at}`,
      versionCode: '1',
      sha256: createHash('sha256').update(String(at)).digest('hex'),
      signer: '',
      at: 1,
    })
    const system = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => system.transact(ctx => appendRelease(ctx, '1', release(at % 10)))),
    )
    const places = await stage.sql<{ position: string }>(
      'home',
      "SELECT position FROM store_log_entries WHERE package_name LIKE 'com.example.many%' ORDER BY position",
    )
    expect(places.map(row => Number(row.position))).toEqual(Array.from({ length: 10 }, (_, at) => start + at))
  })
})

describe('a binary that was swapped behind the store', () => {
  it('has no line, is told apart by the check, and gets none', async () => {
    const one = await putOnShelf(stage, { packageName: 'com.example.bank', versionCode: '5' })
    await stage.settle()
    expect(await isLogged(one.bytes)).toBe(true)
    const other = await putOnShelf(stage, { packageName: 'com.example.source', versionCode: '1' })
    await stage.sql('home', 'UPDATE store_records SET sha256 = $2 WHERE version_id = $1', [
      one.versionId,
      '0'.repeat(64),
    ])
    await stage.sql('home', 'DELETE FROM store_records WHERE version_id = $1', [other.versionId])
    const errors: unknown[] = []
    const { log } = stage.booted.server
    const child = log.child.bind(log)
    log.child = ((...given: Parameters<typeof child>) => {
      const made = child(...given)
      made.error = ((detail: unknown) => errors.push(detail)) as typeof made.error
      return made
    }) as typeof log.child
    await stage.booted.worker.sweep()
    log.child = child
    expect(errors).toContainEqual(expect.objectContaining({ versionId: one.versionId, logged: one.sha256 }))
    expect((await inclusion('0'.repeat(64))).list).toEqual([])
    const query = { packageName: 'com.example.bank' }
    const { list } = await stage.anybody.ok(transparency, 'listLogEntries', { query })
    expect(list.map(line => line.sha256)).toEqual([one.sha256])
  })

  it('is found by whoever remembers an older head, even when the log was written anew around it', async () => {
    const remembered = await head()
    await stage.sql('home', "UPDATE store_log_entries SET sha256 = $1 WHERE package_name = 'com.example.t2'", [
      '1'.repeat(64),
    ])
    const leaves = await stage.sql<Record<string, string>>('home', 'SELECT * FROM store_log_entries ORDER BY position')
    let row = leaves.map(leaf =>
      hashLeaf(
        hash,
        leafOf({
          packageName: leaf['package_name'] as string,
          versionCode: leaf['version_code'] as string,
          sha256: leaf['sha256'] as string,
          signer: leaf['signer'] as string,
          at: Number(leaf['at']),
        }),
      ),
    )
    for (let level = 0; row.length > 0; level++) {
      for (const [position, node] of row.entries()) {
        const values = [level, position, toHex(node)]
        await stage.sql('home', 'UPDATE store_log_nodes SET hash = $3 WHERE level = $1 AND position = $2', values)
      }
      const pairs = Array.from(
        { length: Math.floor(row.length / 2) },
        (_, at) => [row[2 * at], row[2 * at + 1]] as const,
      )
      row = pairs.map(([left, right]) => hashNode(hash, left as Uint8Array, right as Uint8Array))
    }
    await putOnShelf(stage, { packageName: 'com.example.after', versionCode: '1' })
    await stage.settle()
    const now = await head()
    expect((await inclusion('1'.repeat(64))).list).toHaveLength(1)
    const query = { first: remembered.size, second: now.size }
    const { proof } = await stage.anybody.ok(transparency, 'proveConsistency', { query })
    const [older, newer] = [remembered, now].map(one => ({ size: one.size, root: fromHex(one.root) }))
    expect(isConsistent(hash, older as never, newer as never, proof.map(fromHex))).toBe(false)
  })
})
