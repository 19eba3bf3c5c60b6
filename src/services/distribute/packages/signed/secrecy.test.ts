import { createPrivateKey } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { signing } from '../../signing/contract.ts'
import {
  encryptedFor,
  hasOpenssl,
  type OwnKey,
  opensslHint,
  ownKey,
  storeContent,
} from '../../signing/signing.testkit.ts'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { buildApk, signingKey } from '../apk/build-apk.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { buildAab, bundleToolsHint, hasBundleTools } from '../bundle/build-aab.testkit.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { madePackages } from './contract.ts'

const folder = temporaryFolder()

/** Every way in which bytes are usually written, wherever in a longer text they begin. */
function formsOf(secret: Buffer): string[] {
  const aligned = [0, 1, 2].map(shift => {
    const whole = Buffer.concat([Buffer.alloc(shift), secret]).toString('base64')
    // The characters at both ends also hold bits of what stands beside.
    return whole.slice(4, -4)
  })
  const hex = secret.toString('hex')
  const url = aligned.map(one => one.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret.toString('latin1'), hex, hex.toUpperCase(), ...aligned, ...url]
}

/** The numbers that make a private key private. */
function secretsOf(privateKey: string): string[] {
  const { d, p, q } = createPrivateKey(privateKey).export({ format: 'jwk' })
  return [d, p, q].flatMap(part => (part === undefined ? [] : formsOf(Buffer.from(part, 'base64url').subarray(0, 32))))
}

const hint = hasOpenssl ? bundleToolsHint : opensslHint

suiteWhen(hasBundleTools() && hasOpenssl, hint, 'a private key that the store holds', () => {
  let stage: Stage
  let leader: Person
  const logged: string[] = []
  const answered: string[] = []
  beforeAll(async () => {
    stage = await openStage({ logTo: { write: line => void logged.push(line) } })
    const person = await stage.person()
    leader = {
      ...person,
      call: async (...sent) => {
        const reply = await person.call(...sent)
        answered.push(reply.text, JSON.stringify(reply.headers))
        return reply
      },
      ok: async (...sent) => {
        const reply = await person.call(...sent)
        answered.push(reply.text, JSON.stringify(reply.headers))
        if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`)
        return reply.body
      },
    }
  })
  afterAll(() => stage.close())

  /** Imports, rotates to a made key, signs packages and bundles, fails in every way it can. */
  async function live(key: OwnKey): Promise<string> {
    const { appId } = await newApp(leader, 'Kept')
    const upload = await signingKey(folder.path('upload.p12'), 'CN=Upload')
    const put = (body: Record<string, unknown>) =>
      leader.call(signing, 'putSigningKey', { body: { appId, ...body } as never })
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key))
    expect((await put({ action: 'IMPORT', encryptedKey: key.privateKey })).status).toBe(422)
    const certPem = key.privateKey
    expect((await leader.call(signing, 'putUploadCertificate', { body: { appId, certPem } })).status).toBe(422)
    const wrong = await encryptedFor(leader, appId, { ...storeContent(key), password: 'another secret' })
    expect((await put({ action: 'IMPORT', encryptedKey: wrong })).status).toBe(422)
    expect((await put({ action: 'IMPORT', encryptedKey })).status).toBe(200)
    expect((await put({ action: 'IMPORT', encryptedKey })).status).toBe(422)
    expect((await put({ action: 'ROTATE' })).status).toBe(200)
    const apk = await buildApk(folder.path('kept.apk'), { package: 'org.example.kept', key: upload })
    const pkg = await processed(stage, leader, { appId, file: apk, fileName: 'kept.apk' })
    expect([pkg.state, pkg.lineage.length]).toEqual(['READY', 2])
    const aab = await buildAab(folder.path('kept.aab'), { package: 'org.example.kept', versionCode: 2, key: upload })
    const bundle = await processed(stage, leader, { appId, file: aab, fileName: 'kept.aab' })
    expect(bundle.state).toBe('READY')
    const broken = { package: 'org.example.kept', versionCode: 3, files: { 'base/resources.pb': Buffer.from('none') } }
    const failed = await buildAab(folder.path('failed.aab'), { ...broken, key: upload })
    expect((await processed(stage, leader, { appId, file: failed, fileName: 'failed.aab' })).state).toBe('FAILED')
    await leader.ok(madePackages, 'getApks', { query: { appId, pkgId: bundle.pkgId } })
    await leader.ok(signing, 'getSigningKey', { query: { appId } })
    await leader.ok(signing, 'getUploadCertificate', { query: { appId } })
    await stage.settle()
    return appId
  }

  /** The keys as the database keeps them, opened with the master key of this server. */
  async function heldKeys(appId: string): Promise<string[]> {
    const [row] = await stage.sql<{ sealed_key: string; older_keys: { sealedKey: string }[] }>(
      'CN',
      'SELECT sealed_key, older_keys FROM app_signing_keys WHERE app_id = $1',
      [appId],
    )
    const sealed = [row?.sealed_key ?? '', ...(row?.older_keys ?? []).map(one => one.sealedKey)]
    return sealed.map(text => stage.booted.server.masterKey.open('packages.appKey', appId, text))
  }

  async function rowsOf(database: 'home' | 'CN'): Promise<string> {
    const tables = await stage.sql<{ name: string }>(
      database,
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const parts: string[] = []
    for (const { name } of tables) {
      const rows = await stage.sql<{ row: string }>(database, `SELECT t::text AS row FROM ${name} t`)
      parts.push(...rows.map(one => one.row))
    }
    return parts.join('\n')
  }

  async function filesBelow(root: string): Promise<string> {
    const files = await readdir(root, { recursive: true, withFileTypes: true })
    const texts = files
      .filter(one => one.isFile())
      .map(one => readFile(path.join(one.parentPath, one.name), 'latin1').catch(() => ''))
    return (await Promise.all(texts)).join('\n')
  }

  async function leftovers(): Promise<string> {
    const names = (await readdir(tmpdir())).filter(name => /^loggia-(signing|made)-/.test(name))
    return (await Promise.all(names.map(name => filesBelow(path.join(tmpdir(), name))))).join('\n')
  }

  it('is in no answer, row, file, mail or line of the log, in no form, after a whole life', async () => {
    const key = await ownKey()
    const appId = await live(key)
    const held = await heldKeys(appId)
    expect(held).toHaveLength(2)
    const needles = [
      ...[key.privateKey, ...held].flatMap(secretsOf),
      ...formsOf(key.store.subarray(200, 260)),
      key.password,
      'another secret',
    ]
    const places = {
      answers: answered.join('\n'),
      log: logged.join('\n'),
      home: await rowsOf('home'),
      zone: await rowsOf('CN'),
      files: await filesBelow(stage.dataDir),
      leftovers: await leftovers(),
    }
    expect(logged.length).toBeGreaterThan(10)
    expect(places.zone).toContain(appId)
    const found = Object.entries(places).flatMap(([place, text]) => {
      const unbroken = text.replaceAll(/\\n|\n/g, '')
      const isThere = (needle: string) => text.includes(needle) || unbroken.includes(needle)
      return needles.filter(isThere).map(needle => `${place}: ${needle.length} characters`)
    })
    expect(found).toEqual([])
  })

  it('would be found if it were there', async () => {
    const key = await ownKey()
    const inPem = secretsOf(key.privateKey).filter(needle => key.privateKey.replaceAll('\n', '').includes(needle))
    expect(inPem.length).toBeGreaterThan(0)
  })
})
