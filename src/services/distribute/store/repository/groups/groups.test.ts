import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../../testkit/stage.ts'
import { listing, type OnShelf, putApp, putOnShelf, putPicture } from '../../shelf.testkit.ts'
import { has, hasFdroidserver } from '../foreign-tools.testkit.ts'
import { checkJar } from '../jar-reading.testkit.ts'
import { storeGroups } from './contract.ts'

const run = promisify(execFile)
let stage: Stage
let owner: Person
let folder: string
let mine: OnShelf
let other: OnShelf
let icon: Awaited<ReturnType<typeof putPicture>>

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  stage.booted.server.config.publicUrl = await stage.listen()
  owner = await stage.person({ zone: 'DE' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-groups-'))
  icon = await putPicture(stage, 'DE')
  const put = async (packageName: string) => {
    const appId = stage.booted.server.ids.next()
    await putApp(stage, appId, owner.teamId)
    const listings = { 'en-US': listing(packageName, { icon }) }
    return putOnShelf(stage, { packageName, versionCode: '3', zone: 'DE', appId, teamId: owner.teamId, listings })
  }
  mine = await put('com.example.mine')
  other = await put('com.example.other')
  await stage.settle()
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

let made = 0
const create = async (appIds = [mine.appId]) =>
  owner.ok(storeGroups, 'createGroup', { body: { name: `Testers ${++made}`, appIds } })
const fetchBytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const statusOf = async (url: string) => (await fetch(url)).status

describe('a repository for a group', () => {
  it('lists the apps of the group and nothing else, signed, under its own address', async () => {
    const { address, fingerprint, name } = await create()
    const index = JSON.parse(
      (await checkJar(await fetchBytes(`${address}/index-v1.jar`), 'index-v1.json')).body.toString(),
    )
    expect(index.repo).toMatchObject({ address, name })
    expect(Object.keys(index.packages)).toEqual(['com.example.mine'])
    const jar = await checkJar(await fetchBytes(`${address}/entry.jar`), 'entry.json')
    expect(jar.fingerprint).toBe(fingerprint)
    const second = JSON.parse((await fetchBytes(`${address}/index-v2.json`)).toString())
    expect([second.repo.address, Object.keys(second.packages)]).toEqual([address, ['com.example.mine']])
    expect((await fetchBytes(`${address}/${mine.apkName}`)).equals(mine.bytes)).toBe(true)
    expect((await fetchBytes(`${address}/com.example.mine/en-US/${icon.name}`)).equals(icon.bytes)).toBe(true)
    expect(await statusOf(`${address}/${other.apkName}`)).toBe(404)
  })

  it('gets a new address by rotation, and the old one ends at once', async () => {
    const first = await create()
    const body = { repositoryId: first.repositoryId, revision: first.revision }
    const second = await owner.ok(storeGroups, 'rotateGroupToken', { body })
    expect(second.address).not.toBe(first.address)
    expect([await statusOf(`${first.address}/entry.jar`), await statusOf(`${second.address}/entry.jar`)]).toEqual([
      404, 200,
    ])
    expect(await statusOf(`${first.address}/${mine.apkName}`)).toBe(404)
    expect((await owner.call(storeGroups, 'rotateGroupToken', { body })).status).toBe(409)
  })

  it('answers nothing any more when it was revoked, and stays so', async () => {
    const one = await create()
    const body = { repositoryId: one.repositoryId, revision: one.revision }
    const revoked = await owner.ok(storeGroups, 'revokeGroup', { body })
    expect([revoked.state, revoked.allowedActions]).toEqual(['REVOKED', []])
    for (const name of ['entry.jar', 'index-v2.json', mine.apkName])
      expect(await statusOf(`${one.address}/${name}`)).toBe(404)
    const again = { ...body, revision: revoked.revision }
    expect((await owner.call(storeGroups, 'rotateGroupToken', { body: again })).status).toBe(422)
    await owner.ok(storeGroups, 'createGroup', { body: { name: one.name, appIds: [mine.appId] } })
  })

  it('follows its apps: one more, and one that left the shelf', async () => {
    const one = await create()
    const appIds = [mine.appId, other.appId]
    const body = { repositoryId: one.repositoryId, revision: one.revision, name: one.name, appIds }
    await owner.ok(storeGroups, 'updateGroup', { body })
    const names = async () => {
      const index = JSON.parse((await fetchBytes(`${one.address}/index-v2.json`)).toString())
      return Object.keys(index.packages)
    }
    expect(await names()).toEqual(['com.example.mine', 'com.example.other'])
    await stage.sql(
      'home',
      "UPDATE store_records SET state = 'off', left_at = 1, changed_at = $2 WHERE version_id = $1",
      [other.versionId, stage.clock.now() + 5],
    )
    expect(await names()).toEqual(['com.example.mine'])
    await stage.sql(
      'home',
      "UPDATE store_records SET state = 'on_shelf', left_at = NULL, changed_at = $2 WHERE version_id = $1",
      [other.versionId, stage.clock.now() + 9],
    )
  })

  it('is of one team: another sees and changes none of it, and may not list its apps', async () => {
    const one = await create()
    const stranger = await stage.person({ zone: 'DE' })
    expect((await stranger.ok(storeGroups, 'listGroups', {})).list).toEqual([])
    const body = { repositoryId: one.repositoryId, revision: 1 }
    for (const name of ['rotateGroupToken', 'revokeGroup'] as const) {
      expect((await stranger.call(storeGroups, name, { body })).status).toBe(404)
    }
    const theirs = { name: 'Spies', appIds: [mine.appId] }
    expect((await stranger.call(storeGroups, 'createGroup', { body: theirs })).status).toBe(404)
    const viewer = await stage.person({ team: owner.teamId, roles: ['analyst'], zone: 'DE' })
    expect((await viewer.ok(storeGroups, 'listGroups', {})).list[0]?.allowedActions).toEqual([])
    expect((await viewer.call(storeGroups, 'createGroup', { body: theirs })).status).toBe(403)
  })

  it('is listed page by page, found by name, and unique in it', async () => {
    const one = await create()
    const found = await owner.ok(storeGroups, 'listGroups', { query: { search: one.name } })
    expect(found.list.map(row => row.repositoryId)).toEqual([one.repositoryId])
    const body = { name: one.name.toUpperCase(), appIds: [mine.appId] }
    expect((await owner.call(storeGroups, 'createGroup', { body })).status).toBe(409)
    const page = await owner.ok(storeGroups, 'listGroups', { query: { pageSize: 2 } })
    const next = await owner.ok(storeGroups, 'listGroups', { query: { pageSize: 2, cursor: page.nextCursor ?? '' } })
    expect(new Set([...page.list, ...next.list].map(row => row.repositoryId)).size).toBe(4)
  })
})

describe('the secret of a repository', () => {
  it('is in no table and no kept answer, only its digest is', async () => {
    const one = await owner.ok(storeGroups, 'createGroup', {
      body: { name: 'Secret', appIds: [mine.appId] },
      headers: { 'idempotency-key': 'secret-key-of-this-test' },
    })
    const secret = /group\/([^/]+)\//.exec(one.address)?.[1] as string
    expect(Buffer.from(secret, 'base64url')).toHaveLength(24)
    await fetchBytes(`${one.address}/entry.jar`)
    await stage.settle()
    for (const database of ['home', 'DE'] as const) {
      const tables = await stage.sql<{ name: string }>(
        database,
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')",
      )
      for (const { name } of tables) {
        const [hit] = await stage.sql<{ hits: number }>(
          database,
          `SELECT count(*)::int AS hits FROM ${name} AS row WHERE strpos(row::text, $1) > 0`,
          [secret],
        )
        expect([name, hit?.hits]).toEqual([name, 0])
      }
    }
    const { list } = await owner.ok(storeGroups, 'listGroups', { query: { search: 'Secret' } })
    expect(JSON.stringify(list)).not.toContain(secret)
    expect(list[0]).toMatchObject({ tokenEnd: secret.slice(-4), usedAt: expect.any(Number) })
  })

  it('is in no line of the log, not even when everything is logged', async () => {
    const one = await create()
    const secret = /group\/([^/]+)\//.exec(one.address)?.[1] as string
    const lines: string[] = []
    const { log } = stage.booted.server
    const [debug, isLevelEnabled] = [log.debug, log.isLevelEnabled]
    log.debug = ((detail: unknown) => lines.push(JSON.stringify(detail))) as typeof log.debug
    log.isLevelEnabled = () => true
    try {
      for (const name of ['entry.jar', 'nothing.txt', mine.apkName]) await fetchBytes(`${one.address}/${name}`)
      await fetchBytes(`${one.address.replace(secret, 'wrong')}/entry.jar`)
    } finally {
      log.debug = debug
      log.isLevelEnabled = isLevelEnabled
    }
    expect(lines).toHaveLength(4)
    expect(lines.join('\n')).not.toContain(secret)
  })
})

describe.skipIf(!has('fdroidcl'))('fdroidcl (apt-get install fdroidcl)', () => {
  it('installs from the address of a group', async () => {
    const { address } = await create()
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: `${folder}/config`, XDG_CACHE_HOME: `${folder}/cache` }
    const fdroidcl = (...parameters: string[]) => run('fdroidcl', parameters, { env, cwd: folder })
    await fdroidcl('repo', 'remove', 'f-droid')
    await fdroidcl('repo', 'add', 'testers', address)
    await fdroidcl('update')
    const { stdout } = await fdroidcl('download', 'com.example.mine')
    const file = /(\S+\.apk)/.exec(stdout.split('\n').find(line => line.includes('available in')) ?? stdout)?.[1] ?? ''
    expect((await readFile(path.resolve(folder, file))).equals(mine.bytes)).toBe(true)
  }, 60_000)
})

describe.skipIf(!hasFdroidserver())('fdroidserver (apt-get install --no-install-recommends fdroidserver)', () => {
  it('accepts both indexes of a group', async () => {
    const { address, fingerprint } = await create()
    const script = path.join(import.meta.dirname, '../fdroidserver-check.py')
    const { stdout } = await run('/usr/bin/python3', [script, address, fingerprint])
    expect(JSON.parse(stdout)).toMatchObject({ v2: { 'com.example.mine': [3] }, numPackages: 1, wrong: [] })
  }, 60_000)
})
