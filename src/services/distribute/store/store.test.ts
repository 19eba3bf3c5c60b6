import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { store } from './contract.ts'
import { memoryOf } from './memory.ts'
import { keptDays, reportTypes } from './rules.ts'
import { changeRecord, listing, type OnShelf, putApp, putOnShelf, putPicture, signer } from './shelf.testkit.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
})
afterAll(() => stage.close())

const newName = () => `com.example.t${randomBytes(5).toString('hex')}`

async function ask(installed: Record<string, unknown>) {
  const body = { deviceId: 'device-1', packages: [installed] }
  const answer = await stage.anybody.ok(store, 'queryUpdates', { body: body as never })
  return answer.packages[0]
}

const fetchFrom = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  stage.app.inject({ method, url, headers })
const download = (one: OnShelf, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  fetchFrom(`/store/download/${one.apkName}`, headers, method)

describe('a device that asks for updates', () => {
  it('is offered the newer version with all it needs to fetch and to show it', async () => {
    const packageName = newName()
    const listings = { 'en-US': listing('Notes'), 'zh-CN': listing('便签'), 'ru-RU': listing('Заметки') }
    const one = await putOnShelf(stage, {
      packageName,
      versionCode: '2',
      listings,
      at: stage.clock.now() - 3 * 86_400_000,
    })
    expect(await ask({ packageName, versionCode: 1, certSha256: signer, lang: 'zhCN' })).toEqual({
      packageName,
      result: 'UPDATE',
      versionId: one.versionId,
      versionCode: '2',
      versionName: '1.2',
      releaseNotes: '便签 is better',
      size: one.bytes.length,
      sha256: one.sha256,
      url: `http://localhost:8080/store/download/${one.apkName}`,
      phased: false,
      priority: 0,
      stalenessDays: 3,
      forced: false,
    })
    expect(await ask({ packageName, versionCode: '1', lang: 'ru' })).toMatchObject({
      releaseNotes: 'Заметки is better',
    })
    expect(await ask({ packageName, versionCode: '1', lang: 'de' })).toMatchObject({ releaseNotes: 'Notes is better' })
  })

  it('is answered from memory, also while nobody can read the published versions', async () => {
    const packageName = newName()
    await putOnShelf(stage, { packageName, versionCode: '2' })
    await stage.heard('home')
    await ask({ packageName, versionCode: '1' })
    const holder = await stage.booted.server.pools.of('home').connect()
    await holder.query('BEGIN; LOCK TABLE store_records IN ACCESS EXCLUSIVE MODE')
    try {
      expect(await ask({ packageName, versionCode: '1' })).toMatchObject({ result: 'UPDATE', versionCode: '2' })
      expect(await ask({ packageName, versionCode: '2' })).toMatchObject({ result: 'LATEST' })
    } finally {
      await holder.query('ROLLBACK')
      holder.release()
    }
  }, 8_000)

  it('hears in one answer how each of its packages stands', async () => {
    const names = [newName(), newName(), newName(), newName(), newName(), newName()] as const
    const [update, latest, signedElse, old, off] = names
    await putOnShelf(stage, { packageName: update, versionCode: '2' })
    await putOnShelf(stage, { packageName: latest, versionCode: '2' })
    await putOnShelf(stage, { packageName: signedElse, versionCode: '2' })
    await putOnShelf(stage, { packageName: old, versionCode: '2', minSdk: 30 })
    await putOnShelf(stage, { packageName: off, versionCode: '2', state: 'off', at: 1 })
    const packages = names.map(packageName => ({
      packageName,
      versionCode: packageName === latest ? '2' : '1',
      certSha256: packageName === signedElse ? 'b'.repeat(64) : signer,
      sdk: 29,
    }))
    const answer = await stage.anybody.ok(store, 'queryUpdates', { body: { deviceId: 'd', packages } })
    expect(answer.packages.map(one => one.result)).toEqual([
      'UPDATE',
      'LATEST',
      'SIGNER_MISMATCH',
      'INCOMPATIBLE',
      'OFF_SHELF',
      'NOT_FOUND',
    ])
    expect(answer.packages[5]).toEqual({ packageName: names[5], result: 'NOT_FOUND' })
  })

  it('is answered with the newer version as soon as it takes the place of the other', async () => {
    const packageName = newName()
    const first = await putOnShelf(stage, { packageName, versionCode: '2' })
    expect(await ask({ packageName, versionCode: '1' })).toMatchObject({ result: 'UPDATE', versionCode: '2' })
    await changeRecord(stage, first, "state = 'superseded'")
    await putOnShelf(stage, { packageName, versionCode: '3' })
    expect(await ask({ packageName, versionCode: '2' })).toMatchObject({ result: 'UPDATE', versionCode: '3' })
  })

  it('is told to update where its developer lets nobody stay with what it has, in every shape of the answer', async () => {
    const packageName = newName()
    const one = await putOnShelf(stage, { packageName, versionCode: '20' })
    const forcedAt = async (versionCode: string, more = {}) =>
      (await ask({ packageName, versionCode, ...more }))?.forced
    expect([await forcedAt('9'), await forcedAt('9', { density: 320, abis: [] })]).toEqual([false, false])
    await changeRecord(stage, one, 'min_version_code = 10')
    const asked = await Promise.all([
      ...['0', '9', '10', '19'].map(code => forcedAt(code)),
      forcedAt('9', { lang: 'ru' }),
      forcedAt('9', { density: 320, abis: [] }),
      forcedAt('10', { density: 320, abis: [] }),
    ])
    expect(asked).toEqual([false, true, false, false, true, true, false])
    expect(await forcedAt('20')).toBeUndefined()
    await changeRecord(stage, one, 'min_version_code = NULL')
    expect(await forcedAt('9')).toBe(false)
  })

  it('gets the same answer again for the same key', async () => {
    const packageName = newName()
    await putOnShelf(stage, { packageName, versionCode: '2' })
    const input = {
      body: { deviceId: 'd', packages: [{ packageName, versionCode: '1' }] },
      headers: { 'idempotency-key': newName() },
    }
    const first = await stage.anybody.ok(store, 'queryUpdates', input)
    const again = await stage.anybody.ok(store, 'queryUpdates', input)
    expect(first.packages[0]?.result).toBe('UPDATE')
    expect(again).toEqual(first)
  })

  it('may send at most 200 packages, none with a field we do not know', async () => {
    const packages = Array.from({ length: 201 }, (_, at) => ({ packageName: `a.b${at}`, versionCode: '1' }))
    const many = await stage.anybody.call(store, 'queryUpdates', { body: { deviceId: 'd', packages } })
    const odd = await stage.anybody.call(store, 'queryUpdates', {
      body: { deviceId: 'd', packages: [{ packageName: 'a.b', versionCode: '01', x: 1 }] } as never,
    })
    expect([many.status, odd.status]).toEqual([400, 400])
    expect(odd.body.fields?.map(field => field.pointer)).toContain('/packages/0/x')
  })
})

describe('a package that is fetched', () => {
  it('comes whole, in parts, or not at all when it is known', async () => {
    const one = await putOnShelf(stage, { packageName: newName(), versionCode: '1' })
    const whole = await download(one)
    expect(whole.rawPayload.equals(one.bytes)).toBe(true)
    expect(whole.headers).toMatchObject({
      etag: `"${one.sha256}"`,
      'content-type': 'application/vnd.android.package-archive',
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const parts: [range: string, status: number, from: number, to: number][] = [
      ['bytes=0-0', 206, 0, 1],
      ['bytes=-10', 206, 4990, 5000],
      ['bytes=4990-9999', 206, 4990, 5000],
      ['bytes=100-199', 206, 100, 200],
      ['bytes=0-1,5-6', 200, 0, 5000],
    ]
    for (const [range, status, from, to] of parts) {
      const reply = await download(one, { range })
      expect([range, reply.statusCode]).toEqual([range, status])
      expect(reply.rawPayload.equals(one.bytes.subarray(from, to))).toBe(true)
      if (status === 206) expect(reply.headers['content-range']).toBe(`bytes ${from}-${to - 1}/5000`)
    }
    const beyond = await download(one, { range: 'bytes=5000-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */5000'])
    const known = await download(one, { 'if-none-match': `"other", "${one.sha256}"` })
    expect([known.statusCode, known.body]).toEqual([304, ''])
    const replaced = await download(one, { range: 'bytes=5-', 'if-range': '"other"' })
    expect([replaced.statusCode, replaced.rawPayload.length]).toEqual([200, 5000])
  })

  it('tells its size to a HEAD and sends nothing', async () => {
    const one = await putOnShelf(stage, { packageName: newName(), versionCode: '1' })
    const head = await download(one, {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '5000', ''])
  })

  it('comes from the zone where its bytes stay', async () => {
    const one = await putOnShelf(stage, { packageName: newName(), versionCode: '1', zone: 'DE' })
    expect(await stage.booted.server.bytes('CN').stat(one.sha256)).toBeNull()
    expect((await download(one)).rawPayload.equals(one.bytes)).toBe(true)
  })

  it('may still be had for seven days after a newer one came, and not a moment when the store took it off', async () => {
    const packageName = newName()
    const older = await putOnShelf(stage, { packageName, versionCode: '1' })
    const newer = await putOnShelf(stage, { packageName, versionCode: '2' })
    await changeRecord(stage, older, "state = 'superseded'")
    expect((await download(older)).statusCode).toBe(200)
    await changeRecord(stage, newer, "state = 'off', is_forced_off = true")
    expect((await download(newer)).statusCode).toBe(404)
    stage.clock.turn(keptDays * 86_400_000)
    expect((await download(older)).statusCode).toBe(404)
  })

  it('is 404 by any name it does not have', async () => {
    const one = await putOnShelf(stage, { packageName: newName(), versionCode: '1' })
    for (const name of [
      `x${one.apkName}`,
      one.sha256,
      one.apkName.replace(/.{8}\.apk$/, '00000000.apk'),
      '..%2f..%2fmaster.key',
    ]) {
      expect((await fetchFrom(`/store/download/${name}`)).statusCode).toBe(404)
    }
  })
})

describe('the store page', () => {
  it('shows an app in the language asked for, with pictures that anybody may see', async () => {
    const packageName = newName()
    const icon = await putPicture(stage)
    const shot = await putPicture(stage)
    const listings = { 'en-US': listing('Notes', { icon, screenshots: [shot] }), 'ru-RU': listing('Заметки', { icon }) }
    const permissions = [{ name: 'android.permission.INTERNET', maxSdk: null }]
    const one = await putOnShelf(stage, { packageName, versionCode: '7', listings, permissions, countries: ['CN'] })
    const page = await stage.anybody.ok(store, 'getApp', { params: { packageName }, query: { lang: 'ru' } })
    expect(page).toMatchObject({
      name: 'Заметки',
      lang: 'ru-RU',
      languages: ['en-US', 'ru-RU'],
      iconUrl: `http://localhost:8080/store/media/${icon.name}`,
      screenshotUrls: [],
      downloadUrl: `http://localhost:8080/store/download/${one.apkName}`,
      versions: [{ versionId: one.versionId, sha256: one.sha256, signers: [signer], permissions, countries: ['CN'] }],
    })
    const picture = await fetchFrom(`/store/media/${shot.name}`)
    expect(picture.rawPayload.equals(shot.bytes)).toBe(true)
    expect(picture.headers['content-type']).toBe('image/png')
    const foreign = await putPicture(stage)
    expect((await fetchFrom(`/store/media/${foreign.name}`)).statusCode).toBe(404)
  })

  it('finds apps by any of their names, the newest first, page by page', async () => {
    const word = `w${randomBytes(5).toString('hex')}`
    const made: OnShelf[] = []
    for (let at = 0; at < 5; at++) {
      const listings = { 'en-US': listing(`App ${at}`), 'zh-CN': listing(`应用 ${word.toUpperCase()}`) }
      made.push(await putOnShelf(stage, { packageName: newName(), versionCode: '1', listings, at: 1_000 + at }))
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { search: word, pageSize: 2, ...(cursor ? { cursor } : {}) }
      const page = await stage.anybody.ok(store, 'listApps', { query })
      expect(page.total).toBe(5)
      seen.push(...page.list.map(one => one.packageName))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(made.map(one => one.packageName).reverse())
  })
})

describe('an app that leaves the shelf', () => {
  it('is gone from every door, and back with what was', async () => {
    const packageName = newName()
    const icon = await putPicture(stage)
    const one = await putOnShelf(stage, {
      packageName,
      versionCode: '1',
      listings: { 'en-US': listing('Notes', { icon }) },
    })
    const doors = async () => [
      (await ask({ packageName, versionCode: '0' }))?.result,
      (await stage.anybody.call(store, 'getApp', { params: { packageName } })).status,
      (await stage.anybody.ok(store, 'listApps', { query: { search: packageName } })).total,
      (await fetchFrom(`/store/media/${icon.name}`)).statusCode,
    ]
    expect(await doors()).toEqual(['UPDATE', 200, 1, 200])
    await changeRecord(stage, one, "state = 'off'")
    expect(await doors()).toEqual(['OFF_SHELF', 404, 0, 404])
    await changeRecord(stage, one, "state = 'on_shelf', is_frozen = true")
    expect(await doors()).toEqual(['NOT_FOUND', 404, 0, 404])
    expect((await download(one)).statusCode).toBe(404)
    await changeRecord(stage, one, 'is_frozen = false')
    expect(await doors()).toEqual(['UPDATE', 200, 1, 200])
  })
})

describe('what devices do', () => {
  it('is counted by version and day for the developer of the app, in the zone of the app', async () => {
    const person = await stage.person({ zone: 'DE' })
    const appId = stage.booted.server.ids.next()
    await putApp(stage, appId, person.teamId)
    const packageName = newName()
    const one = await putOnShelf(stage, { packageName, versionCode: '2', zone: 'DE', appId, teamId: person.teamId })
    for (let times = 0; times < 3; times++) await ask({ packageName, versionCode: '1' })
    await ask({ packageName, versionCode: '2' })
    for (const device of ['one', 'one', 'two']) await fetchFrom(`/store/download/${one.apkName}?deviceId=${device}`)
    await download(one, {}, 'HEAD')
    await download(one, { range: 'bytes=10-19' })
    const events = reportTypes.map(type => ({ type, versionId: one.versionId, ...(type === 'rate' && { stars: 4 }) }))
    const unknown = { type: 'open' as const, versionId: '1' }
    await stage.anybody.ok(store, 'reportEvents', { body: { deviceId: 'one', events: [...events, unknown] } })
    await vi.waitFor(
      async () => {
        const { list } = await person.ok(store, 'getVersionReach', { query: { appId } })
        expect(list).toEqual([
          {
            versionId: one.versionId,
            day: new Date(stage.clock.now()).toISOString().slice(0, 10),
            updatesOffered: 3,
            downloads: 2,
            downloadsStarted: 1,
            downloadsCompleted: 1,
            downloadsFailed: 1,
            installs: 1,
            installsFailed: 1,
            opens: 1,
            uninstalls: 1,
            crashes: 1,
            freezes: 1,
          },
        ])
      },
      { timeout: 5_000, interval: 100 },
    )
    await fetchFrom(`/store/download/${one.apkName}?deviceId=two`)
    await memoryOf(stage.booted.server).tallies.flush.now()
    const { list } = await person.ok(store, 'getVersionReach', { query: { appId } })
    expect(list[0]?.downloads).toBe(2)
    const stranger = await stage.person({ zone: 'DE' })
    expect((await stranger.call(store, 'getVersionReach', { query: { appId } })).status).toBe(404)
  })

  it('is refused when it has no name or more than a hundred come at once', async () => {
    const event = { type: 'open' as const, versionId: '1' }
    const many = { deviceId: 'd', events: Array.from({ length: 101 }, () => event) }
    const odd = { deviceId: 'd', events: [{ ...event, type: 'dance' }] } as never
    for (const body of [many, odd]) expect((await stage.anybody.call(store, 'reportEvents', { body })).status).toBe(400)
  })

  it.each([
    ['a rating without stars', { type: 'rate' }],
    ['no stars', { type: 'rate', stars: 0 }],
    ['a star too many', { type: 'rate', stars: 6 }],
    ['half a star', { type: 'rate', stars: 4.5 }],
    ['stars in words', { type: 'rate', stars: '5' }],
    ['stars for a crash', { type: 'crash', stars: 1 }],
  ])('is refused at its field: %s', async (_why, event) => {
    const events = [
      { type: 'open', versionId: '1' },
      { ...event, versionId: '1' },
    ]
    const body = { deviceId: 'd', events } as never
    const reply = await stage.anybody.call(store, 'reportEvents', { body })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/events/1/stars'])
  })
})
