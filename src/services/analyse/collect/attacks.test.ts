import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage } from '../../../testkit/stage.ts'
import { address, openReports, type Reports } from './collect.testkit.ts'
import { collect } from './contract.ts'
import { dayMs, dayOf } from './rules.ts'

let reports: Reports
beforeAll(async () => {
  reports = await openReports()
})
afterAll(() => reports.stage.close())
beforeEach(() => reports.empty())

describe('a report in an address', () => {
  const data = () => JSON.stringify(reports.batchOf({}))

  it('answers a script for a callback', async () => {
    const reply = await reports.get({ data: data(), callback: 'agc.onReport$1' })
    expect(reply.body).toBe('/**/agc.onReport$1({"ret":{"code":0,"msg":"success"},"accepted":1,"repeated":0});')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('answers nothing without one, and a clear pixel as a picture', async () => {
    const plain = await reports.get({ data: data() })
    expect([plain.statusCode, plain.body]).toEqual([204, ''])
    const picture = await reports.get({ data: data() }, 'GET', `${address}/p.gif`)
    expect([picture.headers['content-type'], picture.rawPayload.subarray(0, 6).toString()]).toEqual([
      'image/gif',
      'GIF89a',
    ])
    expect(await reports.rowsOf()).toHaveLength(2)
  })

  it('is not counted when only its head is asked for', async () => {
    expect((await reports.get({ data: data() }, 'HEAD')).statusCode).toBe(204)
    expect(await reports.rowsOf()).toEqual([])
  })

  it.each([
    ['a call', 'alert(1)//'],
    ['two statements', 'a;b'],
    ['a tag', '</script>'],
    ['10 kB', 'a'.repeat(8_000)],
    ['a line end', 'a\nb'],
    ['another script', 'ƒ'],
    ['brackets', 'constructor()'],
    ['nothing', ''],
  ])('refuses %s as a callback', async (_what, callback) => {
    const reply = await reports.get({ data: data(), callback })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([400, 'application/problem+json'])
    expect(await reports.rowsOf()).toEqual([])
  })

  it('of a megabyte is refused, by the wire or by the call', async () => {
    const long = JSON.stringify(reports.batchOf({ urlRef: 'x'.repeat(9_000) }))
    expect((await reports.get({ data: long })).statusCode).toBe(400)
    const base = await reports.stage.listen()
    const status = await new Promise<number | undefined>((done, fail) => {
      const sent = request(`${base}${address}?data=${'x'.repeat(1_000_000)}`, reply => done(reply.resume().statusCode))
      sent.on('error', fail).end()
    })
    expect(status).toBe(431)
    expect(await reports.rowsOf()).toEqual([])
  })
})

describe('bad input', () => {
  const payloads: [string, () => unknown, number][] = [
    ['501 events', () => reports.batchOf(...Array.from({ length: 501 }, () => ({}))), 400],
    ['no event', () => reports.batchOf(), 400],
    ['a field nobody knows', () => reports.batchOf({ tpyo: 1 }), 400],
    ['another name of an event', () => reports.batchOf({ name: 'scroll' }), 400],
    ['an id that is none', () => reports.batchOf({ eventId: '1' }), 400],
    [
      'an event of more than 16 KiB',
      () => reports.batchOf({ props: { a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) } }),
      400,
    ],
    ['half a mebibyte', () => `{"events":"${'x'.repeat(600_000)}"}`, 413],
    ['no JSON', () => '{"events":', 400],
    ['nothing', () => '', 400],
    ['forty levels', () => `${'['.repeat(40)}${']'.repeat(40)}`, 400],
    ['a key into prototypes', () => '{"__proto__":{"a":1},"events":[]}', 400],
    ['a number beyond time', () => reports.batchOf({ at: 9e15 }), 400],
  ]
  it.each(payloads)('%s is refused whole', async (_what, payload, status) => {
    expect((await reports.post(payload())).statusCode).toBe(status)
    expect(await reports.rowsOf()).toEqual([])
  })

  it('formulas, halves of pairs and long values are kept as text, marked where they were cut', async () => {
    const urlRef = '=HYPERLINK("https://x","y")'
    const raw = JSON.stringify(reports.batchOf({ urlRef, sourceChannel: 'x'.repeat(2_000), page: 'LONE' }))
    expect((await reports.post(raw.replace('LONE', '/\\ud800\\u0000'))).statusCode).toBe(200)
    const [row] = await reports.rowsOf()
    expect([row?.['url_ref'], String(row?.['source_channel']).length, row?.['page'], row?.['is_cut']]).toEqual([
      urlRef,
      1024,
      '/\ufffd',
      true,
    ])
  })

  it('an event of the future counts as now, and a clock a day off is put right', async () => {
    const now = reports.stage.clock.now()
    await reports.post({ events: [reports.eventOf({ at: now + 400 * dayMs })] })
    await reports.post({ sentAt: now - dayMs, events: [reports.eventOf({ at: now - dayMs - 1_000 })] })
    const rows = await reports.rowsOf()
    expect(rows.map(row => [row['day'], row['is_clock_fixed']])).toEqual([
      [dayOf(now), true],
      [dayOf(now), true],
    ])
  })
})

it('beyond its allowance a sender is told with 429 how long to wait', async () => {
  const strict = await openReports({ rateFactor: 1 })
  try {
    const send = () => strict.post(strict.batchOf(...Array.from({ length: 500 }, () => ({}))))
    strict.stage.clock.hold()
    for (let at = 0; at < 20; at++) expect((await send()).statusCode).toBe(200)
    const refused = await send()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  } finally {
    await strict.stage.close()
  }
})

it('the settings name the zones that take events, and hosts where they are others', async () => {
  const { list } = await reports.stage.anybody.ok(collect, 'getReportSettings')
  expect(list).toEqual([
    { zone: 'CN', origin: null },
    { zone: 'DE', origin: null },
  ])
  const split = await openStage({ config: { reportOrigins: { RU: 'https://ru.example.com' } } })
  try {
    expect((await split.anybody.ok(collect, 'getReportSettings')).list.at(-1)).toEqual({
      zone: 'RU',
      origin: 'https://ru.example.com',
    })
  } finally {
    await split.close()
  }
})
