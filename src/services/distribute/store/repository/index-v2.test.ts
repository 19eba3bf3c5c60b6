import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boot } from '../../../../server/boot.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { gatekeeperOf, services } from '../../../all.server.ts'
import { store } from '../contract.ts'
import { changeRecord, listing, type OnShelf, putOnShelf, putPicture } from '../shelf.testkit.ts'
import { hasFdroidserver } from './foreign-tools.testkit.ts'
import { changesOf } from './index-v2.ts'
import { checkJar } from './jar-reading.testkit.ts'

const run = promisify(execFile)
const packageName = 'com.example.notes'
let stage: Stage
let address: string
let folder: string
let newest: OnShelf
let icon: Awaited<ReturnType<typeof putPicture>>

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  address = await stage.listen()
  stage.booted.server.config.publicUrl = address
  folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-index-v2-'))
  icon = await putPicture(stage)
  const listings = {
    'en-US': listing('Notes', { icon, screenshots: [icon] }),
    'zh-CN': listing('便签', { releaseNotes: '' }),
  }
  const permissions = [{ name: 'android.permission.WRITE_EXTERNAL_STORAGE', maxSdk: 28 }]
  newest = await putOnShelf(stage, {
    packageName,
    versionCode: '11',
    listings,
    permissions,
    minSdk: 24,
    abis: ['x86_64'],
  })
  await putOnShelf(stage, { packageName: 'com.example.german', versionCode: '3', zone: 'DE' })
  await stage.settle()
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

const fetchBytes = async (name: string, zone = 'all') => {
  const reply = await fetch(`${address}/fdroid/${zone}/repo/${name}`)
  expect([name, reply.status]).toEqual([name, 200])
  return Buffer.from(await reply.arrayBuffer())
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const entryOf = async (zone = 'all') =>
  JSON.parse((await checkJar(await fetchBytes('entry.jar', zone), 'entry.json')).body.toString())
const indexV2 = async (zone = 'all') => JSON.parse((await fetchBytes('index-v2.json', zone)).toString())

describe('the second index', () => {
  it('is named by a signed entry with its digest and size', async () => {
    const entry = await entryOf()
    const index = await fetchBytes('index-v2.json')
    expect(entry).toEqual({
      timestamp: expect.any(Number),
      version: 20_002,
      index: { name: '/index-v2.json', sha256: sha256(index), size: index.length, numPackages: 2 },
      diffs: expect.any(Object),
    })
    const { fingerprint } = await stage.anybody.ok(store, 'getRepository', { query: {} })
    expect((await checkJar(await fetchBytes('entry.jar'), 'entry.json')).fingerprint).toBe(fingerprint)
  })

  it('says in every language what the listing says, and of each version what it needs', async () => {
    const { repo, packages } = await indexV2()
    expect(repo).toMatchObject({ address: `${address}/fdroid/all/repo`, name: { 'en-US': 'Loggia' } })
    const picture = { sha256: icon.sha256, size: icon.bytes.length }
    expect(packages[packageName]).toEqual({
      metadata: {
        added: expect.any(Number),
        lastUpdated: expect.any(Number),
        categories: ['Apps'],
        name: { 'en-US': 'Notes', 'zh-CN': '便签' },
        summary: { 'en-US': 'Notes in brief', 'zh-CN': '便签 in brief' },
        description: { 'en-US': 'All about Notes &amp; more', 'zh-CN': 'All about 便签 &amp; more' },
        icon: { 'en-US': { name: `/${packageName}/en-US/${icon.name}`, ...picture } },
        screenshots: {
          phone: { 'en-US': [{ name: `/${packageName}/en-US/phoneScreenshots/${icon.name}`, ...picture }] },
        },
        preferredSigner: 'a'.repeat(64),
      },
      versions: {
        [newest.sha256]: {
          added: expect.any(Number),
          file: { name: `/${newest.apkName}`, sha256: newest.sha256, size: newest.bytes.length },
          manifest: {
            versionName: '1.11',
            versionCode: 11,
            usesSdk: { minSdkVersion: 24, targetSdkVersion: 34 },
            signer: { sha256: ['a'.repeat(64)] },
            usesPermission: [{ name: 'android.permission.WRITE_EXTERNAL_STORAGE', maxSdkVersion: 28 }],
            nativecode: ['x86_64'],
          },
          whatsNew: { 'en-US': 'Notes is better' },
        },
      },
    })
    expect(Object.keys((await indexV2('de')).packages)).toEqual(['com.example.german'])
  })

  it('tells clients of earlier indexes only what changed, of the last ten', async () => {
    const old = await indexV2()
    const passing = await putOnShelf(stage, { packageName: 'com.example.aaa', versionCode: '1' })
    await changeRecord(stage, newest, "priority = 3, version_name = '1.11a'")
    await stage.settle()
    const middle = await indexV2()
    await changeRecord(stage, passing, "state = 'off'")
    await stage.settle()
    const now = await indexV2()
    for (const before of [old, middle]) {
      const { diffs } = await entryOf()
      const diff = await fetchBytes(`diff/${before.repo.timestamp}.json`)
      const change = JSON.parse(diff.toString())
      expect(diffs[before.repo.timestamp]).toMatchObject({ sha256: sha256(diff), size: diff.length })
      expect(change).toEqual(changesOf(before, now))
    }
    expect(JSON.parse((await fetchBytes(`diff/${middle.repo.timestamp}.json`)).toString()).packages).toEqual({
      'com.example.aaa': null,
    })
    for (let times = 0; times < 12; times++) {
      await changeRecord(stage, newest, `version_name = '1.11.${times}'`)
      await stage.settle()
    }
    const { diffs } = await entryOf()
    expect(Object.keys(diffs)).toHaveLength(10)
    expect(diffs).not.toHaveProperty(String(old.repo.timestamp))
    expect((await fetch(`${address}/fdroid/all/repo/diff/${old.repo.timestamp}.json`)).status).toBe(404)
    const [files] = await stage.sql<{ kept: number; named: number }>(
      'home',
      `SELECT (SELECT count(DISTINCT file_id)::int FROM store_index_parts) AS kept,
        (SELECT count(DISTINCT file_id)::int FROM store_index_parts WHERE file_id IN (
          SELECT (jsonb_path_query(files, '$.*.fileId') #>> '{}')::bigint FROM store_indexes
          UNION SELECT unnest(retired)::bigint FROM store_indexes UNION SELECT file_id FROM store_index_past)) AS named`,
    )
    expect(files?.kept).toBe(files?.named)
  }, 60_000)

  it('is not made anew when nothing that it lists changed', async () => {
    const before = await entryOf()
    await changeRecord(stage, newest, 'priority = 5')
    await stage.settle()
    expect(await entryOf()).toEqual(before)
  })

  it('is the same to the byte on every process', async () => {
    const { server } = stage.booted
    const databases = Object.fromEntries(
      server.pools.names.map(name => [name, { url: server.pools.url(name), ownerUrl: '' }]),
    )
    const config = { ...server.config, node: (server.config.node + 1) % 1024 }
    const second = await boot(
      config,
      databases as never,
      { services, gatekeeperOf },
      {
        clock: server.clock,
        log: server.log,
        migrate: false,
      },
    )
    try {
      for (const name of ['entry.jar', 'index-v2.json', 'index-v1.jar', 'transparency/checkpoint']) {
        const there = await second.app.inject(`/fdroid/all/repo/${name}`)
        expect(there.rawPayload.equals(await fetchBytes(name))).toBe(true)
      }
    } finally {
      await second.close()
    }
  }, 60_000)
})

describe.skipIf(!hasFdroidserver())('fdroidserver (apt-get install --no-install-recommends fdroidserver)', () => {
  const check = async (zone: string, fingerprint: string, ...old: string[]) => {
    const script = path.join(import.meta.dirname, 'fdroidserver-check.py')
    const { stdout } = await run('/usr/bin/python3', [script, `${address}/fdroid/${zone}/repo`, fingerprint, ...old])
    return JSON.parse(stdout)
  }

  it('accepts both indexes, every file they name, and the changes since an earlier one', async () => {
    const { fingerprint } = await stage.anybody.ok(store, 'getRepository', { query: {} })
    const old = path.join(folder, 'old.json')
    await writeFile(old, await fetchBytes('index-v2.json'))
    await putOnShelf(stage, { packageName: 'com.example.more', versionCode: '7' })
    await changeRecord(stage, newest, "version_name = '2'")
    await stage.settle()
    expect(await check('all', fingerprint, old)).toMatchObject({
      v1: { [packageName]: [11], 'com.example.more': [7], 'com.example.german': [3] },
      v2: { [packageName]: [11], 'com.example.more': [7], 'com.example.german': [3] },
      names: { [packageName]: { 'en-US': 'Notes', 'zh-CN': '便签' } },
      numPackages: 3,
      wrong: [],
      diff: { isWhole: true, isTheirs: true, leadsToIndex: true, packages: 2 },
    })
    expect((await check('de', fingerprint)).v2).toEqual({ 'com.example.german': [3] })
  }, 60_000)

  it('refuses the repository under another fingerprint', async () => {
    await expect(check('all', 'A'.repeat(64))).rejects.toThrow(/fingerprint does not match/)
  }, 60_000)
})
