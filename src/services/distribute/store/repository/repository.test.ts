import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { store } from '../contract.ts'
import { changeRecord, listing, type OnShelf, putOnShelf, putPicture, signer } from '../shelf.testkit.ts'
import { has } from './foreign-tools.testkit.ts'
import { checkJar } from './jar-reading.testkit.ts'

const run = promisify(execFile)
const packageName = 'com.example.notes'

let stage: Stage
let address: string
let folder: string
let older: OnShelf
let newest: OnShelf
let icon: Awaited<ReturnType<typeof putPicture>>

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  address = await stage.listen()
  stage.booted.server.config.publicUrl = address
  folder = await mkdtemp(path.join(os.tmpdir(), 'loggia-fdroid-'))
  icon = await putPicture(stage)
  const permissions = [
    { name: 'android.permission.INTERNET', maxSdk: null },
    { name: 'android.permission.WRITE_EXTERNAL_STORAGE', maxSdk: 28 },
  ]
  const listings = {
    'en-US': listing('Notes', { icon, screenshots: [icon] }),
    'zh-CN': listing('便签'),
    'ru-RU': listing('Заметки <b>'),
  }
  const own = { packageName, permissions, listings, minSdk: 24, abis: ['arm64-v8a'] }
  older = await putOnShelf(stage, { ...own, versionCode: '10', state: 'superseded' })
  newest = await putOnShelf(stage, { ...own, versionCode: '11' })
  await putOnShelf(stage, { packageName: 'com.example.german', versionCode: '3', zone: 'DE' })
})
afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

const fetchFile = (name: string, headers: Record<string, string> = {}, zone = 'all') =>
  fetch(`${address}/fdroid/${zone}/repo/${name}`, { headers })
const fetchBytes = async (name: string, zone = 'all') =>
  Buffer.from(await (await fetchFile(name, {}, zone)).arrayBuffer())

interface Index {
  repo: { address: string; timestamp: number }
  apps: Record<string, unknown>[]
  packages: Record<string, Record<string, unknown>[]>
}
const readIndex = async (zone = 'all'): Promise<Index> => {
  await stage.settle()
  return JSON.parse((await checkJar(await fetchBytes('index-v1.jar', zone), 'index-v1.json')).body.toString())
}

/** Bytes with one bit of them turned. */
function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] as number) ^ 1
  return changed
}

describe('the repository for F-Droid clients', () => {
  it('lists what is on shelf, as its clients want it', async () => {
    const index = await readIndex()
    expect(index.repo).toMatchObject({ address: `${address}/fdroid/all/repo` })
    expect(index.apps.find(app => app['packageName'] === packageName)).toMatchObject({
      name: 'Notes',
      suggestedVersionCode: '11',
      categories: ['Apps'],
      icon: icon.name,
      localized: {
        'en-US': {
          name: 'Notes',
          whatsNew: 'Notes is better',
          description: 'All about Notes &amp; more',
          phoneScreenshots: [icon.name],
        },
        'zh-CN': { name: '便签' },
        'ru-RU': { name: 'Заметки <b>', description: 'All about Заметки &lt;b&gt; &amp; more' },
      },
    })
    expect(index.packages[packageName]).toEqual([
      {
        packageName,
        versionCode: 11,
        versionName: '1.11',
        apkName: newest.apkName,
        hash: newest.sha256,
        hashType: 'sha256',
        size: newest.bytes.length,
        minSdkVersion: 24,
        targetSdkVersion: 34,
        signer,
        'uses-permission': [
          ['android.permission.INTERNET', null],
          ['android.permission.WRITE_EXTERNAL_STORAGE', 28],
        ],
        nativecode: ['arm64-v8a'],
        added: expect.any(Number),
      },
    ])
  })

  it('has a repository for each zone with what stays there', async () => {
    const german = await readIndex('de')
    expect(german.repo.address).toBe(`${address}/fdroid/de/repo`)
    expect(Object.keys(german.packages)).toEqual(['com.example.german'])
    expect((await fetchFile(newest.apkName, {}, 'de')).status).toBe(404)
    expect((await fetchFile('index-v1.jar', {}, 'xx')).status).toBe(404)
  })

  it('tells its address and the fingerprint that signs it, the same in every zone', async () => {
    const facts = await stage.anybody.ok(store, 'getRepository', { query: { zone: 'all' } })
    expect(facts).toMatchObject({ address: `${address}/fdroid/all/repo`, apps: 2, versions: 2 })
    const { fingerprint } = await checkJar(await fetchBytes('index-v1.jar', 'de'), 'index-v1.json')
    expect(fingerprint).toBe(facts.fingerprint)
    const [key] = await stage.sql<{ sealed_key: string }>('home', 'SELECT sealed_key FROM store_signing_keys')
    expect(key?.sealed_key).not.toContain('PRIVATE')
  })

  it('is sent again only when it changed, and its time never goes back', async () => {
    await stage.settle()
    const first = await fetchFile('index-v1.jar')
    const etag = first.headers.get('etag') as string
    const changedAt = first.headers.get('last-modified') as string
    expect((await fetchFile('index-v1.jar', { 'if-none-match': etag })).status).toBe(304)
    expect((await fetchFile('index-v1.jar', { 'if-modified-since': changedAt })).status).toBe(304)
    const before = (await readIndex()).repo.timestamp
    stage.clock.turn(5_000)
    const one = await putOnShelf(stage, { packageName: 'com.example.passing', versionCode: '1' })
    await stage.settle()
    const changed = await fetchFile('index-v1.jar', { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect((await readIndex()).packages).toHaveProperty('com.example.passing')
    stage.clock.turn(5_000)
    await changeRecord(stage, one, "state = 'off'")
    const after = await readIndex()
    expect(after.packages).not.toHaveProperty('com.example.passing')
    expect(after.repo.timestamp).toBeGreaterThanOrEqual(before + 10_000)
  })

  it('serves packages by range, those just superseded too, and the pictures of listings', async () => {
    const part = await fetchFile(newest.apkName, { range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(newest.bytes.subarray(100, 200))).toBe(true)
    expect((await fetchFile(older.apkName)).status).toBe(200)
    for (const name of [
      `icons-640/${icon.name}`,
      `${packageName}/en-US/${icon.name}`,
      `${packageName}/en-US/phoneScreenshots/${icon.name}`,
    ]) {
      expect((await fetchBytes(name)).equals(icon.bytes)).toBe(true)
    }
    expect((await fetchFile(`com.example.german/en-US/${icon.name}`)).status).toBe(404)
  })

  it('has a JAR in which no byte of the index can be changed', async () => {
    const jar = await fetchBytes('index-v1.jar')
    await expect(checkJar(jar, 'index-v1.json')).resolves.toBeDefined()
    const signatureAt = jar.indexOf('META-INF/1.SF') + 'META-INF/1.SF'.length + 30
    await expect(checkJar(flipped(jar, signatureAt), 'index-v1.json')).rejects.toThrow()
  })
})

describe.skipIf(!has('jarsigner'))('jarsigner (apt-get install openjdk-17-jdk-headless)', () => {
  const verifyJar = async (jar: Buffer) => {
    const file = path.join(folder, 'index-v1.jar')
    await writeFile(file, jar)
    return run('jarsigner', ['-verify', '-verbose', file]).then(
      ({ stdout }) => stdout,
      error => String(error.stdout),
    )
  }

  it('verifies the index and refuses one with a byte turned', async () => {
    const jar = await fetchBytes('index-v1.jar')
    expect(await verifyJar(jar)).toContain('jar verified.')
    const dataAt = jar.indexOf('index-v1.json', jar.indexOf('1.RSA') + 300) + 'index-v1.json'.length + 40
    for (const at of [dataAt, jar.indexOf('SHA-256-Digest-Manifest:') + 30]) {
      expect(await verifyJar(flipped(jar, at))).not.toContain('jar verified.')
    }
  }, 60_000)
})

describe.skipIf(!has('fdroidcl'))('fdroidcl (apt-get install fdroidcl)', () => {
  const fdroidcl = (...parameters: string[]) => {
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: `${folder}/config`, XDG_CACHE_HOME: `${folder}/cache` }
    return run('fdroidcl', parameters, { env, cwd: folder })
  }

  it('finds, shows and fetches the app, and refuses bytes that are not those of the index', async () => {
    await fdroidcl('repo', 'remove', 'f-droid')
    await fdroidcl('repo', 'add', 'loggia', `${address}/fdroid/all/repo`)
    await fdroidcl('update')
    expect((await fdroidcl('search', 'notes')).stdout).toContain(packageName)
    const shown = (await fdroidcl('show', packageName)).stdout
    expect(shown).toMatch(/1\.11 \(11\)/)
    const fetched = (await fdroidcl('download', packageName)).stdout
    const file = /(\S+\.apk)/.exec(
      fetched.split('\n').find(line => line.includes('available in')) ?? fetched,
    )?.[1] as string
    const bytes = await readFile(path.resolve(folder, file))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(newest.sha256)

    const { path: stored } = await stage.booted.server.bytes('CN').localFile(newest.sha256)
    await writeFile(stored, flipped(newest.bytes, 1_000))
    await rm(path.resolve(folder, file))
    await expect(fdroidcl('download', packageName)).rejects.toThrow(/sha256 mismatch/)
    await writeFile(stored, newest.bytes)
  }, 60_000)
})
