import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserStore, type ForeignHosts, openForeignHosts } from '../../../../testkit/foreign-hosts.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, openApp, password } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { setLevel } from '../storage.testkit.ts'

const MiB = 1024 ** 2
let stage: Stage
let app: AppOnDevice
let hosts: ForeignHosts
let bucketId: string
let prelude: string
let folder: string

beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  ;({ bucketId } = await app.owner.ok(storage, 'initData', {
    body: { projectId: app.projectId, bucketName: 'foreign' },
  }))
  await setLevel(stage, { projectId: app.projectId, bucketId }, 'PAID')
  const origin = await stage.listen()
  folder = path.join(stage.dataDir, 'hosts')
  hosts = await openForeignHosts(folder, () => origin, [
    'localhost',
    'connect-api.cloud.huawei.com',
    'connect-api.cloud.huawei.com.cn',
    'agc-storage-drcn.platform.dbankcloud.cn',
    'agc-storage-drcn.cloud.huawei.com.cn',
  ])
  const config = app.config as { service?: object }
  const service = { ...config.service, cloudstorage: { default_storage: bucketId } }
  await (await app.install()).signUp('files@example.com')
  prelude = `${browserStore}
    // In Node of today it finds a Blob, takes that for a browser's, and gives it to an HTTP client that sends none.
    globalThis.Blob = class { constructor(parts) { return Buffer.concat(parts) } static [Symbol.hasInstance]() { return false } }
    const agconnect = require('@agconnect/api').default ?? require('@agconnect/api')
    require('@agconnect/instance')
    require('@agconnect/auth')
    require(${JSON.stringify(createRequire(import.meta.url).resolve('@agconnect/cloudstorage'))})
    agconnect.instance().configInstance(${JSON.stringify({ ...config, region: 'CN', service })})
    const storage = agconnect.cloudStorage()
    storage.setMaxRetryTimes(2)
    const { readFileSync } = require('node:fs')
    const told = {}
    const failing = work => work().then(() => 'no failure', error => [error.code, error.message].join(' '))
    const sent = task => new Promise((resolve, reject) => task.on('state_changed', { next() {}, error: reject, complete: () => resolve(task) }))
    const signIn = () => agconnect.auth().signIn(agconnect.auth.EmailAuthProvider.credentialWithPassword('files@example.com', ${JSON.stringify(password)}))
    const main = async run => { try { await signIn(); await run() } catch (error) { told.failed = String(error?.stack ?? JSON.stringify(error)) } console.log(JSON.stringify(told)); process.exit(0) }
  `
}, 120_000)
afterAll(async () => {
  await hosts.close()
  await stage.close()
})

const file = (name: string, bytes: Buffer) => {
  writeFileSync(path.join(folder, name), bytes)
  return `new Uint8Array(readFileSync(${JSON.stringify(name)}))`
}

async function bytesOf(name: string): Promise<Buffer> {
  const device = await app.install()
  const user = await device.anonymous()
  const reply = await stage.app.inject({
    url: `/v0/${bucketId}/${encodeURIComponent(name)}`,
    headers: { authorization: `Bearer ${device.clientToken}`, access_token: user.accessToken },
  })
  return reply.rawPayload
}

describe('the public storage client of the field, unmodified', () => {
  it('sends a small and a longer file, lists them, reads and changes what is said of them, and deletes', async () => {
    const [small, longer] = [randomBytes(10), randomBytes(MiB)]
    const answer = (await hosts.run(`${prelude}
      main(async () => {
        const ref = storage.storageReference()
        const one = await ref.child('sdk/ten.bin').put(${file('ten', small)}, { contentType: 'image/png', customMetadata: { shade: 'green' } })
        told.one = { size: one.metadata?.size ?? one.totalByteCount }
        const task = ref.child('sdk/long.bin').put(${file('long', longer)})
        await task
        const listed = await ref.child('sdk/').list({ maxResults: 10 })
        told.files = listed.fileList.map(one => one.path)
        const found = await ref.child('sdk/ten.bin').getFileMetadata()
        told.found = { size: found.size, contentType: found.contentType, custom: found.customMetadata, sha256: found.sha256Hash }
        const changed = await ref.child('sdk/ten.bin').updateFileMetadata({ contentType: 'text/plain', customMetadata: { shade: 'blue' } })
        told.changed = { contentType: changed.contentType, custom: changed.customMetadata }
        told.url = await ref.child('sdk/long.bin').getDownloadURL()
        told.missing = await failing(() => ref.child('sdk/never').getFileMetadata())
        await ref.child('sdk/ten.bin').delete()
        told.left = (await ref.child('sdk/').listAll()).fileList.map(one => one.path)
      })`)) as Record<string, never>
    expect(answer['failed']).toBeUndefined()
    expect(answer).toMatchObject({
      files: ['sdk/long.bin', 'sdk/ten.bin'],
      found: {
        size: 10,
        contentType: 'image/png',
        custom: { shade: 'green' },
        sha256: createHash('sha256').update(small).digest('hex'),
      },
      changed: { contentType: 'text/plain', custom: { shade: 'blue' } },
      left: ['sdk/long.bin'],
    })
    const url = new URL(String(answer['url']))
    const open = await stage.app.inject({ url: url.pathname + url.search })
    expect([open.statusCode, open.rawPayload.equals(longer)]).toEqual([200, true])
    expect(String(answer['missing'])).toContain('404')
  }, 120_000)

  it('sends 32 MB, is killed in the middle, and goes on without sending what is in', async () => {
    const bytes = randomBytes(32 * MiB)
    const program = `${prelude}
      main(async () => {
        const task = storage.storageReference().child('sdk/huge.bin').put(${file('huge', bytes)})
        await task
        told.done = true
      })`
    const first = hosts.start(program)
    const received = async () => {
      const rows = await stage.sql<{ received: string }>(
        'CN',
        `SELECT received FROM storage_uploads WHERE path = 'sdk/huge.bin'`,
      )
      return Number(rows[0]?.received ?? 0)
    }
    while ((await received()) < 8 * MiB) await new Promise(resolve => setTimeout(resolve, 100))
    first.kill('SIGKILL')
    await new Promise(resolve => first.once('close', resolve))
    const before = await received()
    expect(before).toBeLessThan(bytes.length)
    expect(await hosts.run(program)).toEqual({ done: true })
    const uploads = await stage.sql<{ state: string }>(
      'CN',
      `SELECT state FROM storage_uploads WHERE path = 'sdk/huge.bin'`,
    )
    expect(uploads).toEqual([{ state: 'DONE' }])
    expect((await bytesOf('sdk/huge.bin')).equals(bytes)).toBe(true)
  }, 240_000)
})
