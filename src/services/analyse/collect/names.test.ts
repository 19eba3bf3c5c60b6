import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../testkit/stage.ts'
import { openReports, type Reports } from './collect.testkit.ts'
import { collect } from './contract.ts'
import { dayMs, limits } from './rules.ts'

let reports: Reports
let member: Person
beforeAll(async () => {
  reports = await openReports()
})
afterAll(() => reports.stage.close())
beforeEach(async () => {
  member = await reports.stage.person()
})

const ticketOf = async (person: Person) => (await person.ok(collect, 'getReportTicket')).ticket
const clicks = (from: number, to: number) =>
  Array.from({ length: to - from }, (_none, at) => ({ name: 'click', page: '/apps', action: `button${from + at}` }))
/** Sends what a member's browser reports, as many batches as it takes. */
async function report(person: Person, events: Record<string, unknown>[], zone = '') {
  const ticket = await ticketOf(person)
  for (let at = 0; at < events.length; at += limits.eventsOfBatch) {
    const batch = reports.batchOf(...events.slice(at, at + limits.eventsOfBatch))
    expect((await reports.post({ ...batch, ticket }, { zone })).statusCode).toBe(200)
  }
}
const names = (person: Person, query: object = {}) =>
  person.ok(collect, 'listTeamNames', { query: { kind: 'action', pageSize: 100, ...query } })
const actionsOf = async (person: Person, zone: 'CN' | 'DE' = 'CN') =>
  (
    await reports.stage.sql<{ action: string }>(
      zone,
      'SELECT DISTINCT action FROM collect_events WHERE team_id = $1 ORDER BY 1',
      [person.teamId],
    )
  ).map(row => row.action)

describe('the name of an event', () => {
  it.each([
    ['page', { page: `/${'x'.repeat(limits.nameLength)}` }, 'maxLength'],
    ['action', { name: 'click', action: 'x'.repeat(limits.nameLength + 1) }, 'maxLength'],
    ['page', { page: '' }, 'minLength'],
  ])('that is too long or empty is refused with its field: %s', async (field, event, rule) => {
    const reply = await reports.post(reports.batchOf({}, event))
    expect([reply.statusCode, reply.json().fields]).toMatchObject([400, [{ pointer: `/events/1/${field}`, rule }]])
  })

  it('of 200 characters is kept whole', async () => {
    const action = 'x'.repeat(limits.nameLength)
    await report(member, [{ name: 'click', action }])
    expect(await actionsOf(member)).toEqual([action])
  })
})

describe('the names of a team in a zone', () => {
  it('are bounded: beyond the bound new ones are counted as other, and those that are known go on', async () => {
    await report(member, clicks(0, limits.namesOfKind))
    await report(member, [...clicks(limits.namesOfKind - 1, limits.namesOfKind + 5)])
    const { total, list, taken, most } = await names(member, { search: 'o', sort: 'events' })
    expect([taken, most, total]).toEqual([limits.namesOfKind, limits.namesOfKind, limits.namesOfKind + 1])
    expect(list[0]).toEqual({ name: 'button499', isOther: false, views: 0, clicks: 2, visitors: 1 })
    const last = await names(member, { cursor: String(limits.namesOfKind) })
    expect(last.list).toEqual([{ name: 'other', isOther: true, views: 0, clicks: 5, visitors: 1 }])
    expect(last.nextCursor).toBeNull()
    // Pages have places of their own.
    await report(member, [{ page: '/a-new-page' }])
    expect((await names(member, { kind: 'page' })).list.map(one => one.name)).toEqual(['/a-new-page', '/apps'])
  })

  it('take no place of another team, of another zone, or of who proves no team', async () => {
    await report(member, clicks(0, limits.namesOfKind))
    const other = await reports.stage.person()
    await report(other, [{ name: 'click', action: 'mine' }])
    await report(member, [{ name: 'click', action: 'abroad' }], '/de')
    const DID = randomUUID()
    await reports.post(reports.batchOf({ name: 'click', action: 'nobodys', DID }))
    const [row] = await reports.stage.sql('CN', 'SELECT action FROM collect_events WHERE person = $1', [DID])
    expect([await actionsOf(other), await actionsOf(member, 'DE'), row]).toEqual([
      ['mine'],
      ['abroad'],
      { action: 'nobodys' },
    ])
  })

  it('are as many when two servers take them at once', async () => {
    const second = await reports.stage.another()
    const ticket = await ticketOf(member)
    const send = (app: typeof second.app, from: number) =>
      app.inject({
        method: 'POST',
        url: '/hianalytics/webv1',
        headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Chrome/140' },
        payload: { ...reports.batchOf(...clicks(from, from + 400)), ticket },
      })
    const replies = await Promise.all([send(reports.stage.app, 0), send(second.app, 400)])
    expect(replies.map(one => one.statusCode)).toEqual([200, 200])
    expect((await names(member)).taken).toBe(limits.namesOfKind)
    expect((await actionsOf(member)).length).toBe(limits.namesOfKind + 1)
  })

  it('have a free place again when the events of a name are gone', async () => {
    await report(member, clicks(0, limits.namesOfKind))
    reports.stage.clock.turn(91 * dayMs)
    await reports.stage.booted.worker.sweep()
    const later = await reports.stage.person()
    const kept = await reports.stage.sql('CN', 'SELECT * FROM collect_names WHERE team_id = $1', [member.teamId])
    expect(kept).toEqual([])
    await report(later, [{ name: 'click', action: 'fresh' }])
    expect(await actionsOf(later)).toEqual(['fresh'])
  })

  it('called other by a sender are other, and take no place', async () => {
    await report(member, [{ name: 'click', action: 'other' }])
    expect(await names(member, { kind: 'action' })).toMatchObject({ taken: 0, list: [{ isOther: true, clicks: 1 }] })
  })
})

describe('what a team reads of its use', () => {
  const [anna, ben] = [randomUUID(), randomUUID()]
  const fill = (zone = '') =>
    report(
      member,
      [
        { DID: anna, page: '/apps' },
        { DID: ben, page: '/apps' },
        { DID: anna, page: '/files' },
        { DID: anna, page: '/files' },
        { DID: anna, page: '/files' },
        { DID: anna, name: 'click', page: '/files', action: '=upload' },
      ],
      zone,
    )

  it('is sorted by events, people or name, searched and paged', async () => {
    await fill()
    const read = async (query: object) => (await names(member, { kind: 'page', ...query })).list.map(one => one.name)
    expect(await read({})).toEqual(['/files', '/apps'])
    expect(await read({ sort: 'visitors' })).toEqual(['/apps', '/files'])
    expect(await read({ sort: 'name' })).toEqual(['/apps', '/files'])
    expect(await read({ sort: 'name', order: 'desc' })).toEqual(['/files', '/apps'])
    expect(await read({ search: 'PP' })).toEqual(['/apps'])
    expect(await read({ search: '%' })).toEqual([])
    const first = await names(member, { kind: 'page', pageSize: 1 })
    expect([first.total, first.list.length, first.nextCursor]).toEqual([2, 1, '1'])
    expect(await read({ pageSize: 1, cursor: first.nextCursor })).toEqual(['/apps'])
    expect(await read({ cursor: 'none' })).toEqual(['/files', '/apps'])
  })

  it('is of its zone alone', async () => {
    const german = await reports.stage.person({ zone: 'DE' })
    await report(german, [{ page: '/of-germany' }], '/de')
    expect((await names(german, { kind: 'page' })).list).toMatchObject([{ name: '/of-germany' }])
    const inChina = await reports.stage.app.inject({
      url: '/cn/hianalytics/team/use/names?kind=page',
      headers: { cookie: german.cookie, teamid: german.teamId },
    })
    expect(inChina.json()).toMatchObject({ total: 0, list: [] })
  })

  it('names nobody: no person, no account, no address', async () => {
    await fill()
    const replies = [
      await member.call(collect, 'listTeamDays', { query: {} }),
      await member.call(collect, 'listTeamNames', { query: { kind: 'page' } }),
    ]
    for (const { text } of replies) {
      for (const secret of [anna, ben, member.accountId, '127.0.0']) expect(text).not.toContain(secret)
    }
  })

  it('is for leaders, administrators and analysts, and for nobody of another team', async () => {
    await fill()
    const status = async (who: Person) => (await who.call(collect, 'listTeamNames', { query: { kind: 'page' } })).status
    const roles = ['administrator', 'analyst', 'developer', 'marketing'] as const
    const people = []
    for (const role of roles) people.push(await reports.stage.person({ team: member.teamId, roles: [role] }))
    expect(await Promise.all(people.map(status))).toEqual([200, 200, 403, 403])
    const stranger = await reports.stage.person()
    expect((await names(stranger, { kind: 'page' })).list).toEqual([])
  })

  it('comes as a file: by day, by page and by button, in the language asked for, formulas as text', async () => {
    await fill()
    const file = async (sheet: string, language: string, who = member) => {
      const reply = await reports.stage.app.inject({
        url: `/hianalytics/team/use/export?sheet=${sheet}&format=csv&language=${language}`,
        headers: { cookie: who.cookie, teamid: who.teamId },
      })
      expect(reply.headers['content-disposition']).toContain(`console-use-${sheet}-`)
      return reply.body.replace('\ufeff', '').trim().split('\r\n')
    }
    expect(await file('page', 'en')).toEqual(['Page,Opened,Clicks on it,People', '/files,3,1,1', '/apps,2,0,2'])
    expect(await file('action', 'zh')).toEqual(['按钮,点击次数,人数', '"\t=upload",1,1'])
    expect((await file('day', 'ru'))[0]).toBe('День (UTC),Открыто страниц,Нажатия,Люди')
    const stranger = await reports.stage.person()
    expect(await file('page', 'en', stranger)).toEqual(['Page,Opened,Clicks on it,People'])
    const developer = await reports.stage.person({ team: member.teamId, roles: ['developer'] })
    const query = { sheet: 'page', format: 'xlsx' } as const
    expect((await developer.call(collect, 'exportTeamUse', { query })).status).toBe(403)
  })
})
