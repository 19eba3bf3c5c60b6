import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storage } from '../src/services/build/storage/contract.ts'
import { storageFiles } from '../src/services/build/storage/files/contract.ts'
import { storageHosting } from '../src/services/build/storage/hosting/contract.ts'
import { storageKeys } from '../src/services/build/storage/keys/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { hasBrowser, startLook } from './browser.ts'
import { Loggia, type Visitor } from './loggia.ts'
import './one-browser.ts'

const MiB = 1024 ** 2
let loggia: Loggia
let leader: Visitor
let client: S3Client
let Bucket: string
let project: string
beforeAll(async () => {
  loggia = await Loggia.start({ LOGGIA_HOSTING_DOMAIN: 'sites.localhost' })
  leader = await loggia.signIn('administrator')
  const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Files' } })
  project = projectId
  ;({ bucketId: Bucket } = await leader.ok(storage, 'initData', { body: { projectId, bucketName: 'files' } }))
  const { key, secretAccessKey } = await leader.ok(storageKeys, 'createKey', { body: { projectId, name: 'e2e' } })
  client = new S3Client({
    endpoint: `${loggia.url}/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: key.accessKeyId, secretAccessKey },
    maxAttempts: 1,
  })
})
afterAll(() => loggia.close())

const put = (Key: string, Body: Buffer | string, ContentType = 'application/octet-stream') =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }))
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const digestOf = async (Key: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
  return sha256((await Body?.transformToByteArray()) ?? new Uint8Array())
}

describe('kill -9', () => {
  it('while parts are joined leaves the upload to be completed again', async () => {
    const Key = 'killed/whole.bin'
    const bytes = Array.from({ length: 8 }, () => randomBytes(16 * MiB))
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for (const [at, Body] of bytes.entries()) {
      const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: at + 1, Body }))
      Parts.push({ PartNumber: at + 1, ETag })
    }
    const complete = () =>
      client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
    const cut = complete().then(
      () => 'done',
      () => 'cut',
    )
    await new Promise(resolve => setTimeout(resolve, 150))
    await loggia.end('SIGKILL')
    const told = await cut
    await loggia.up()
    if (told === 'cut')
      expect(await client.send(new HeadObjectCommand({ Bucket, Key })).catch(error => error.name)).toBe('NotFound')
    await complete()
    expect(await digestOf(Key)).toBe(sha256(Buffer.concat(bytes)))
  }, 120_000)

  it('while a tus upload is made into its file leaves it to be finished, whole and once', async () => {
    const bytes = randomBytes(96 * MiB)
    const { uploadUrl } = await leader.ok(storageFiles, 'startUpload', {
      body: { bucketId: Bucket, path: 'killed/tus.bin', size: bytes.length, contentType: 'application/octet-stream' },
    })
    const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
    const patch = (offset: number, end: number) =>
      fetch(loggia.url + uploadUrl, {
        method: 'PATCH',
        headers: { ...tus, 'upload-offset': String(offset) },
        body: new Uint8Array(bytes.subarray(offset, end)),
      })
    expect((await patch(0, bytes.length - 1)).status).toBe(204)
    const last = patch(bytes.length - 1, bytes.length).then(
      reply => reply.status,
      () => 0,
    )
    await new Promise(resolve => setTimeout(resolve, 100))
    await loggia.end('SIGKILL')
    const told = await last
    await loggia.up()
    if (told !== 204) {
      // Who goes on asks first how far it is; what is all in is made into its file by the next bytes, of which there are none.
      const head = await fetch(loggia.url + uploadUrl, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
      const offset = Number(head.headers.get('upload-offset'))
      expect(offset).toBeGreaterThanOrEqual(bytes.length - 1)
      expect((await patch(offset, bytes.length)).status).toBe(204)
    }
    expect(await digestOf('killed/tus.bin')).toBe(sha256(bytes))
    const rows = await loggia.sql('cn', `SELECT 1 FROM storage_objects WHERE path = 'killed/tus.bin'`)
    expect(rows).toHaveLength(1)
  }, 120_000)

  it('during many uploads loses none that was acknowledged, and shows none by half', async () => {
    const acknowledged = new Map<string, string>()
    let isOn = true
    const writers = Array.from({ length: 6 }, async (_none, writer) => {
      for (let number = 0; isOn; number++) {
        const bytes = randomBytes(number % 2 === 0 ? 4_000 : 120_000)
        const Key = `many/${writer}-${number}`
        await put(Key, bytes).then(
          () => acknowledged.set(Key, sha256(bytes)),
          () => new Promise(resolve => setTimeout(resolve, 20)),
        )
      }
    })
    while (acknowledged.size < 100) await new Promise(resolve => setTimeout(resolve, 20))
    await loggia.end('SIGKILL')
    isOn = false
    await Promise.all(writers)
    await loggia.up()
    for (const [Key, digest] of acknowledged) expect(await digestOf(Key)).toBe(digest)
    const rows = await loggia.sql<{ blob: string }>('cn', 'SELECT blob FROM storage_objects WHERE blob IS NOT NULL')
    expect(rows.length).toBeGreaterThan(0)
  }, 120_000)
})

describe('an upload of the browser', () => {
  it.skipIf(!hasBrowser)(
    'goes on after a reload when the same file is chosen again',
    async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-reload-'))
      const bytes = randomBytes(48 * MiB)
      const file = path.join(folder, 'film.bin')
      writeFileSync(file, bytes)
      const look = await startLook({ origin: loggia.url })
      const offsets: number[] = []
      try {
        await look.signInAs(...loggia.accountOf('administrator'))
        const place = `/storage/${Bucket}?projectId=${project}&tab=files`
        await look.open(place)
        const line = await look.context.newCDPSession(look.page)
        await line.send('Network.enable')
        const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 6 * MiB }
        await line.send('Network.emulateNetworkConditions', slow)
        await look.page.locator('input[type="file"]').setInputFiles(file)
        const received = async () => {
          const [row] = await loggia.sql<{ received: string }>(
            'cn',
            `SELECT received FROM storage_uploads WHERE bucket_id = '${Bucket}' AND path = 'film.bin' AND state = 'OPEN'`,
          )
          return Number(row?.received ?? 0)
        }
        await expect.poll(received, { timeout: 60_000 }).toBeGreaterThanOrEqual(8 * MiB)
        await look.page.reload()
        await look.page.getByText('Not finished: film.bin').waitFor()
        await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
        look.page.on('request', request => {
          if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
        })
        await look.page.locator('input[type="file"]').setInputFiles(file)
        await expect.poll(() => digestOf('film.bin').catch(() => ''), { timeout: 60_000 }).toBe(sha256(bytes))
        expect(offsets[0]).toBeGreaterThanOrEqual(8 * MiB)
        await look.page.getByText('Not finished: film.bin').waitFor({ state: 'detached' })
      } finally {
        await look.close()
        rmSync(folder, { recursive: true, force: true })
      }
    },
    180_000,
  )
})

describe('a site', () => {
  it('opens in a browser on an origin of its own, and below a path without one', async () => {
    const page = `<!doctype html><link rel="stylesheet" href="main.css"><h1>Loading</h1><script type="module" src="main.js"></script>`
    const script = `document.querySelector('h1').textContent = 'Running at ' + location.pathname
      try { localStorage.setItem('a', '1'); document.body.dataset.storage = 'own' } catch { document.body.dataset.storage = 'none' }
      fetch('${loggia.url}/cpms/project-management-service/v1/projectList', { credentials: 'include' }).then(
        reply => { document.body.dataset.console = 'read ' + reply.status }, () => { document.body.dataset.console = 'closed' })`
    await put('index.html', page, 'text/html; charset=utf-8')
    await put('main.js', script, 'text/javascript')
    await put('main.css', 'h1 { color: rgb(1, 2, 3) }', 'text/css')
    await leader.ok(storageHosting, 'updateSite', { body: { bucketId: Bucket, enabled: true, spaFallback: true } })
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    try {
      const context = await browser.newContext()
      const look = async (address: string) => {
        const tab = await context.newPage()
        await tab.goto(address)
        const body = tab.locator('body[data-console]')
        await body.waitFor()
        return {
          text: await tab.locator('h1').textContent(),
          color: await tab.evaluate(`getComputedStyle(document.querySelector('h1')).color`),
          storage: await body.getAttribute('data-storage'),
          console: await body.getAttribute('data-console'),
        }
      }
      expect(await look(`http://${Bucket}.sites.localhost:${loggia.port}/`)).toEqual({
        text: 'Running at /',
        color: 'rgb(1, 2, 3)',
        storage: 'own',
        console: 'closed',
      })
      expect(await look(`${loggia.url}/hosting/${Bucket}/`)).toEqual({
        text: `Running at /hosting/${Bucket}/`,
        color: 'rgb(1, 2, 3)',
        storage: 'none',
        console: 'closed',
      })
    } finally {
      await browser.close()
    }
  }, 60_000)
})
