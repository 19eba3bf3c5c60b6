import { describe, expect, it } from 'vitest'
import {
  type ConfigProblem,
  changedFields,
  configOf,
  cronProblem,
  dueOf,
  lastRun,
  nextRuns,
  type TriggerType,
  type TriggerWishes,
  waitsForFile,
  waitsForRow,
} from './rules.ts'

const at = (text: string) => new Date(text).getTime()
const iso = (list: readonly number[]) => list.map(one => new Date(one).toISOString().slice(0, 16))

describe('a timer', () => {
  it.each<[string, string, string, string[]]>([
    ['every hour', '0 * * * *', 'UTC', ['2026-03-28T13:00', '2026-03-28T14:00']],
    ['with seconds', '30 15 8 * * *', 'Asia/Shanghai', ['2026-03-29T00:15', '2026-03-30T00:15']],
    ['on Mondays', '0 9 * * 1', 'Europe/Moscow', ['2026-03-30T06:00', '2026-04-06T06:00']],
    // Clocks go from 02:00 to 03:00 on 29 March: half past two is not there, so it is the first moment after the gap.
    ['in the hour that is left out', '30 2 * * *', 'Europe/Berlin', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['of a zone without summer time', '30 2 * * *', 'Asia/Shanghai', ['2026-03-28T18:30', '2026-03-29T18:30']],
    ['on the last day of the month', '0 0 L * *', 'UTC', ['2026-03-31T00:00', '2026-04-30T00:00']],
    ['on 29 February', '0 0 29 2 *', 'UTC', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ])('%s runs at', (_what, cron, zone, expected) => {
    expect(iso(nextRuns(cron, zone, at('2026-03-28T12:00Z'), 2))).toEqual(expected)
  })

  it('of one time runs once in the hour that comes twice, one of each hour twice', () => {
    const before = at('2026-10-24T12:00Z')
    expect(iso(nextRuns('30 2 * * *', 'Europe/Berlin', before, 2))).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
    expect(iso(nextRuns('30 * * * *', 'Europe/Berlin', at('2026-10-25T00:00Z'), 3))).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-25T02:30',
    ])
  })

  it.each<[string, string, string, string | null]>([
    ['five fields', '*/5 * * * *', 'UTC', null],
    ['six with one second', '59 * * * * *', 'Europe/Berlin', null],
    ['each second', '* * * * * *', 'UTC', 'interval'],
    ['two seconds of a minute', '0,30 * * * * *', 'UTC', 'interval'],
    ['a step of seconds', '*/10 * * * * *', 'UTC', 'interval'],
    ['a minute too many', '60 * * * *', 'UTC', 'cron'],
    ['no numbers', 'a b c d e', 'UTC', 'cron'],
    ['a nickname', '@daily', 'UTC', 'fields'],
    ['seven fields', '0 0 0 * * * 2030', 'UTC', 'fields'],
    ['a day that never comes', '0 0 30 2 *', 'UTC', 'never'],
    ['a zone that is none', '0 0 * * *', 'Mars/Base', 'timezone'],
    ['an offset for a zone', '0 0 * * *', '+03:00', 'timezone'],
    ['nothing', '', 'UTC', 'fields'],
  ])('of %s is taken or refused', (_what, cron, zone, rule) => {
    expect(cronProblem(cron, zone)?.rule ?? null).toBe(rule)
  })

  it('knows its last time, this moment too', () => {
    const noon = at('2026-01-01T12:00Z')
    expect([noon - 1, noon, noon + 1].map(one => lastRun('0 * * * *', 'UTC', one))).toEqual([
      noon - 3_600_000,
      noon,
      noon,
    ])
  })

  const hourly = { cron: '0 * * * *', timezone: 'UTC' }
  it.each<[string, 'SKIP' | 'RUN_ONCE', string, string, string | null, string]>([
    ['in time fires', 'SKIP', '2026-01-01T12:00Z', '2026-01-01T12:00:03Z', '2026-01-01T12:00', '2026-01-01T13:00'],
    [
      'a minute late still fires',
      'SKIP',
      '2026-01-01T12:00Z',
      '2026-01-01T12:01Z',
      '2026-01-01T12:00',
      '2026-01-01T13:00',
    ],
    ['later is passed over', 'SKIP', '2026-01-01T12:00Z', '2026-01-01T12:01:01Z', null, '2026-01-01T13:00'],
    [
      'later fires once where it shall',
      'RUN_ONCE',
      '2026-01-01T12:00Z',
      '2026-01-01T12:30Z',
      '2026-01-01T12:00',
      '2026-01-01T13:00',
    ],
    [
      'days later fires once, for the last',
      'RUN_ONCE',
      '2026-01-01T12:00Z',
      '2026-01-04T07:30Z',
      '2026-01-04T07:00',
      '2026-01-04T08:00',
    ],
    [
      'days later but at its time fires',
      'SKIP',
      '2026-01-01T12:00Z',
      '2026-01-04T07:00:30Z',
      '2026-01-04T07:00',
      '2026-01-04T08:00',
    ],
  ])('that is %s', (_what, missed, dueAt, now, fireAt, nextAt) => {
    const due = dueOf({ ...hourly, missed }, at(dueAt), at(now))
    expect([due.fireAt === null ? null : iso([due.fireAt])[0], iso([due.nextAt ?? 0])[0]]).toEqual([fireAt, nextAt])
  })
})

const row = { zone: 'main', objectType: 'Order', before: null, after: { id: '1', state: 'new', note: null } }
const changed = { ...row, before: { id: '1', state: 'new', note: null }, after: { id: '1', state: 'paid', note: null } }
const gone = { ...row, before: row.after, after: null }

describe('a trigger of rows', () => {
  it.each<[string, TriggerWishes, typeof row | typeof changed | typeof gone, boolean]>([
    ['a new row', { objectType: 'Order', events: ['INSERT'] }, row, true],
    ['any case of the name', { objectType: 'ORDER', events: ['INSERT'] }, row, true],
    ['another type', { objectType: 'Orders', events: ['INSERT'] }, row, false],
    ['another event', { objectType: 'Order', events: ['UPDATE', 'DELETE'] }, row, false],
    ['its zone', { objectType: 'Order', zone: 'Main', events: ['INSERT'] }, row, true],
    ['another zone', { objectType: 'Order', zone: 'test', events: ['INSERT'] }, row, false],
    ['a field that changed', { objectType: 'Order', events: ['UPDATE'], fields: ['state'] }, changed, true],
    ['a field that stayed', { objectType: 'Order', events: ['UPDATE'], fields: ['note'] }, changed, false],
    ['one of two fields', { objectType: 'Order', events: ['UPDATE'], fields: ['note', 'State'] }, changed, true],
    ['a row that goes, whatever the fields', { objectType: 'Order', events: ['DELETE'], fields: ['note'] }, gone, true],
  ])('for %s', (_what, config, change, expected) => {
    expect(waitsForRow(config, change)).toBe(expected)
  })

  it('knows which fields changed', () => {
    expect(changedFields({ a: 1, b: { c: [1] }, d: null }, { a: 1, b: { c: [2] }, e: 0 })).toEqual(['b', 'e'])
    expect(changedFields(null, { a: 1, b: null })).toEqual(['a'])
  })
})

it.each<[string, TriggerWishes, boolean]>([
  ['everything of an event', { events: ['FINALIZE'] }, true],
  ['another event', { events: ['DELETE'] }, false],
  ['its folder', { events: ['FINALIZE'], prefix: 'photos/' }, true],
  ['another folder', { events: ['FINALIZE'], prefix: 'photo/' }, false],
  ['its ending', { events: ['FINALIZE'], suffix: '.jpg' }, true],
  ['another ending', { events: ['FINALIZE'], suffix: '.JPG' }, false],
  ['its bucket', { events: ['FINALIZE'], bucketId: 'b1' }, true],
  ['another bucket', { events: ['FINALIZE'], bucketId: 'b2' }, false],
])('a trigger of files for %s', (_what, config, expected) => {
  expect(waitsForFile(config, { event: 'FINALIZE', bucketId: 'b1', path: 'photos/a.jpg' })).toBe(expected)
})

it.each<[TriggerType, TriggerWishes, TriggerWishes | string]>([
  ['HTTP', {}, { authType: 'none', enableUrlDecode: true }],
  ['HTTP', { authType: 'user', cron: '* * * * *' }, { authType: 'user', enableUrlDecode: true }],
  ['CRON', { cron: ' 0  9 * * 1 ' }, { cron: '0 9 * * 1', timezone: 'UTC', missed: 'SKIP', payload: null }],
  ['CLOUDDB', { events: ['INSERT'] }, '/config/objectType'],
  ['CLOUDDB', { objectType: 'A', events: [] }, '/config/events'],
  ['CLOUDDB', { objectType: 'A', events: ['SIGN_IN'] }, '/config/events'],
  [
    'CLOUDDB',
    { objectType: 'A', events: ['UPDATE', 'INSERT', 'INSERT'] },
    { objectType: 'A', events: ['INSERT', 'UPDATE'] },
  ],
  ['CLOUDSTORAGE', { events: ['FINALIZE'], prefix: '' }, { events: ['FINALIZE'] }],
  ['AUTH', {}, '/config/events'],
  ['EVENT', { topic: 'orders.paid' }, { topic: 'orders.paid' }],
  ['EVENT', { topic: '1st' }, '/config/topic'],
  ['EVENT', {}, '/config/topic'],
])('%s of %o keeps what is its own', (type, wish, expected) => {
  const config = configOf(type, wish)
  if (typeof expected === 'string') expect((config as ConfigProblem).pointer).toBe(expected)
  else expect(config).toEqual(expected)
})
