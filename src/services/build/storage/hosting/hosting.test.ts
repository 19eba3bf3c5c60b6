import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { storage } from '../contract.ts'
import { storageFiles } from '../files/contract.ts'
import { newStorage, type Stored } from '../storage.testkit.ts'
import { storageHosting } from './contract.ts'

let stage: Stage
let owner: Person
let stored: Stored
beforeAll(async () => {
  stage = await openStage({ config: { hostingDomain: 'sites.stage.test' } })
  owner = await stage.person()
  stored = await newStorage(stage, owner)
})
afterAll(() => stage.close())

async function put(name: string, text: string, contentType = 'text/html') {
  const { uploadUrl } = await owner.ok(storageFiles, 'startUpload', {
    body: { bucketId: stored.bucketId, path: name, size: Buffer.byteLength(text), contentType, existing: 'replace' },
  })
  await stage.app.inject({
    method: 'PATCH',
    url: uploadUrl,
    payload: text,
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  })
}

const onOwnHost = (url: string, headers: object = {}) =>
  stage.app.inject({ url, headers: { host: `${stored.bucketId}.sites.stage.test`, ...headers } })
const below = (url: string) => stage.app.inject({ url: `/hosting/${stored.bucketId}${url}` })

describe('a bucket', () => {
  it('is no site until it is made one', async () => {
    await put('index.html', '<h1>Hello</h1>')
    expect((await below('/')).statusCode).toBe(404)
    const site = await owner.ok(storageHosting, 'queryCDN', { body: { bucketId: stored.bucketId } })
    expect(site).toMatchObject({ state: 'DISABLED', indexDoc: 'index.html', revision: null })
  })

  it('serves its pages, folders and error page as a site', async () => {
    const site = await owner.ok(storageHosting, 'updateSite', {
      body: {
        bucketId: stored.bucketId,
        enabled: true,
        errorDoc: '404.html',
        cacheRules: [{ pattern: '*.css', ttlSeconds: 900 }],
      },
    })
    expect(site.addresses[0]).toBe(`http://${stored.bucketId}.sites.stage.test/`)
    await put('docs/index.html', '<h1>Docs</h1>')
    await put('404.html', '<h1>Not here</h1>')
    await put('main.css', 'body{}', 'text/css')
    const index = await onOwnHost('/')
    expect([index.statusCode, index.headers['content-type'], index.body]).toEqual([200, 'text/html', '<h1>Hello</h1>'])
    expect((await onOwnHost('/docs/')).body).toBe('<h1>Docs</h1>')
    const moved = await onOwnHost('/docs?x=1')
    expect([moved.statusCode, moved.headers['location']]).toEqual([302, '/docs/?x=1'])
    const missing = await onOwnHost('/nothing.png')
    expect([missing.statusCode, missing.body]).toEqual([404, '<h1>Not here</h1>'])
    expect((await onOwnHost('/main.css')).headers['cache-control']).toBe('public, max-age=900')
    const again = await onOwnHost('/', { 'if-none-match': String(index.headers['etag']) })
    expect(again.statusCode).toBe(304)
    expect((await below('/docs/')).body).toBe('<h1>Docs</h1>')
    expect((await below('')).headers['location']).toBe(`/hosting/${stored.bucketId}/`)
  })

  it('answers pages that route by themselves with the index', async () => {
    const body = { bucketId: stored.bucketId, enabled: true, spaFallback: true, revision: 1 }
    await owner.ok(storageHosting, 'updateSite', { body })
    expect((await onOwnHost('/a/route/of/the/app')).body).toBe('<h1>Hello</h1>')
    expect((await onOwnHost('/a/missing.png')).statusCode).toBe(404)
  })

  it('shows what is new after a refresh at once', async () => {
    expect((await onOwnHost('/')).body).toBe('<h1>Hello</h1>')
    await put('index.html', '<h1>New</h1>')
    await owner.ok(storageHosting, 'refreshCDN', { body: { bucketId: stored.bucketId, prefix: '' } })
    const waiting = await owner.ok(storageHosting, 'queryCDN', { body: { bucketId: stored.bucketId } })
    expect(['REFRESHING', 'ACTIVE']).toContain(waiting.state)
    await stage.settle()
    expect((await onOwnHost('/')).body).toBe('<h1>New</h1>')
    const done = await owner.ok(storageHosting, 'queryCDN', { body: { bucketId: stored.bucketId } })
    expect([done.state, done.refreshes[0]?.doneAt === null]).toEqual(['ACTIVE', false])
  })

  it('says before anything is saved which files cache rules would decide, the first that fits', async () => {
    const preview = (pattern: string) =>
      owner.call(storageHosting, 'previewCacheRules', {
        body: {
          bucketId: stored.bucketId,
          cacheRules: [
            { pattern, ttlSeconds: 5 },
            { pattern: '*.html', ttlSeconds: 9 },
          ],
        },
      })
    const { list } = await owner
      .ok(storageFiles, 'listFiles', { body: { bucketId: stored.bucketId, prefix: '', search: '.', maxKeys: 100 } })
      .then(({ files }) => ({ list: files.map(file => file.path) }))
    const docs = list.filter(path => path.startsWith('docs/'))
    const pages = list.filter(path => path.endsWith('.html') && !path.startsWith('docs/'))
    expect(docs.length * pages.length).toBeGreaterThan(0)
    const { body } = await preview('docs/*')
    expect(body).toMatchObject({
      looked: list.length,
      isWhole: true,
      hits: [
        { count: docs.length, examples: docs.slice(0, 5) },
        { count: pages.length, examples: pages.slice(0, 5) },
      ],
      others: { count: list.length - docs.length - pages.length },
    })
    expect((await preview('a*b*')).status).toBe(400)
  })

  it('tells how far a refresh is', async () => {
    const { jobId } = await owner.ok(storageHosting, 'refreshCDN', { body: { bucketId: stored.bucketId, prefix: '' } })
    await stage.settle()
    const { state, percent } = await owner.ok(storage, 'queryJob', { body: { jobId, kind: 'storage.refreshSite' } })
    expect([state, percent]).toEqual(['done', 100])
  })

  it('keeps large files on the disk here', async () => {
    const text = 'x'.repeat(100_000)
    await put('large.txt', text, 'text/plain')
    expect((await onOwnHost('/large.txt')).body).toBe(text)
    const part = await onOwnHost('/large.txt', { range: 'bytes=10-19' })
    expect([part.statusCode, part.body]).toEqual([206, 'xxxxxxxxxx'])
    expect(readdirSync(path.join(stage.dataDir, 'cache', 'hosting')).length).toBe(1)
  })

  it('is closed again at once', async () => {
    const { revision } = await owner.ok(storageHosting, 'queryCDN', { body: { bucketId: stored.bucketId } })
    await owner.ok(storageHosting, 'updateSite', {
      body: { bucketId: stored.bucketId, enabled: false, revision: revision ?? 0 },
    })
    expect((await onOwnHost('/')).statusCode).toBe(404)
    await owner.ok(storageHosting, 'updateSite', {
      body: { bucketId: stored.bucketId, enabled: true, revision: (revision ?? 0) + 1 },
    })
  })
})

describe('the console', () => {
  it.each(['/oauth2/v1/login', '/health', '/openapi.json', '/s3/', '/v0/x', '/zh/', '/../health', '//health'])(
    'is not reached on the host of a site: %s',
    async url => {
      const reply = await onOwnHost(url, { cookie: owner.cookie })
      // A site that routes by itself answers pages with its own first one.
      expect(reply.statusCode === 404 || reply.body === '<h1>New</h1>').toBe(true)
      expect(reply.headers['set-cookie']).toBeUndefined()
    },
  )

  it('gives pages of sites no origin on its own host, and no cookies', async () => {
    const reply = await below('/')
    expect(reply.headers['content-security-policy']).toMatch(/^sandbox /)
    expect(reply.headers['content-security-policy']).not.toContain('allow-same-origin')
    expect((await onOwnHost('/')).headers['content-security-policy']).toBe("frame-ancestors 'self'")
  })

  it('sends sites to the host for what people uploaded, where there is one', async () => {
    const other = await openStage({ config: { filesUrl: 'http://files.stage.test' } })
    const reply = await other.app.inject({ url: '/hosting/any/page?x=1', headers: { host: 'console.stage.test' } })
    expect([reply.statusCode, reply.headers['location']]).toEqual([302, 'http://files.stage.test/hosting/any/page?x=1'])
    await other.close()
  })
})
