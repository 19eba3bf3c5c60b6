import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../testkit/stage.ts'
import { browser, openReports, type Reports } from './collect.testkit.ts'
import { collect } from './contract.ts'
import { dayMs, dayOf } from './rules.ts'

let reports: Reports
beforeAll(async () => {
  reports = await openReports()
})
afterAll(() => reports.stage.close())
beforeEach(() => reports.empty())

const counted = (body: string) => {
  const { accepted, repeated } = JSON.parse(body)
  return { accepted, repeated }
}

describe('page and click events', () => {
  it('carry every field of the specification', async () => {
    const said = {
      name: 'click',
      action: 'createApp',
      face: 'developer',
      DID: randomUUID(),
      productID: '12',
      appID: '34',
      userType: '2',
      countryID: 'CN',
      teamID: '56',
      childType: '7',
      sourceChannel: 'mail',
      urlRef: 'https://example.com/a',
      greyFlag: 1,
      props: { tab: 'keys', count: 3, isNew: true },
    }
    const reply = await reports.post(reports.batchOf(said))
    expect([reply.statusCode, counted(reply.body)]).toEqual([200, { accepted: 1, repeated: 0 }])
    expect(await reports.rowsOf()).toMatchObject([
      {
        name: 'click',
        page_name: 'consumer/en/service/josp/agc',
        page: '/apps/$appId',
        action: 'createApp',
        face: 'developer',
        service_item: 'reach',
        language: 'en',
        domain: 'console.example',
        person: said.DID,
        is_daily_person: false,
        product_id: '12',
        app_id: '34',
        user_type: '2',
        country_id: 'CN',
        said_team_id: '56',
        team_id: null,
        child_type: '7',
        source_channel: 'mail',
        url_ref: 'https://example.com/a',
        grey_flag: 1,
        props: said.props,
        is_bot: false,
        is_late: false,
        is_clock_fixed: false,
        is_cut: false,
      },
    ])
  })

  it('are taken as JSON and as the text/plain of a beacon', async () => {
    for (const type of ['application/json', 'text/plain;charset=UTF-8']) {
      expect((await reports.post(reports.batchOf({}), { 'content-type': type })).statusCode).toBe(200)
    }
    expect(await reports.rowsOf()).toHaveLength(2)
  })

  it('count once, however often they are sent', async () => {
    const batch = reports.batchOf({}, {})
    await reports.post(batch)
    const again = { ...batch, events: [...batch.events, batch.events[0]] }
    expect(counted((await reports.post(again)).body)).toEqual({ accepted: 0, repeated: 3 })
    expect(await reports.rowsOf()).toHaveLength(2)
  })

  it('stay in the zone they were sent to', async () => {
    await reports.empty('DE')
    await reports.post(reports.batchOf({ page: '/of-germany' }), { zone: '/de' })
    await reports.post(reports.batchOf({ page: '/of-china' }), { zone: '/cn' })
    const pages = async (zone: 'CN' | 'DE') => (await reports.rowsOf(zone)).map(row => row['page'])
    expect([await pages('CN'), await pages('DE')]).toEqual([['/of-china'], ['/of-germany']])
    expect((await reports.post(reports.batchOf({}), { zone: '/ru' })).json().ret.msg).toBe('the zone Id is invalid')
  })

  it('keep no address, and no cookie is read or set', async () => {
    const member = await reports.stage.person()
    const reply = await reports.post(reports.batchOf({}), { cookie: member.cookie, teamid: member.teamId })
    expect(reply.headers['set-cookie']).toBeUndefined()
    const [row] = await reports.rowsOf()
    expect(row?.['team_id']).toBeNull()
    expect(JSON.stringify(row)).not.toContain('127.0.0.1')
  })

  it('of a page of another host can be sent and their answer read, without credentials', async () => {
    const { headers } = await reports.post(reports.batchOf({}), { origin: 'https://other.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
  })

  it('of a program are marked', async () => {
    await reports.post(reports.batchOf({ isDriven: true }))
    await reports.post(reports.batchOf({}), { 'user-agent': 'curl/8.5' })
    expect((await reports.rowsOf()).map(row => row['is_bot'])).toEqual([true, true])
  })
})

describe('who somebody is', () => {
  it('without a consent holds for a day: the same today, another tomorrow', async () => {
    await reports.post(reports.batchOf({}))
    await reports.post(reports.batchOf({}))
    await reports.post(reports.batchOf({}), { 'user-agent': `${browser} other` })
    reports.stage.clock.turn(dayMs)
    await reports.post(reports.batchOf({}))
    const people = (
      await reports.stage.sql<{ person: string; amount: number; daily: boolean }>(
        'CN',
        `SELECT person, count(*)::int AS amount, bool_and(is_daily_person) AS daily FROM collect_events GROUP BY person`,
      )
    ).sort((one, other) => other.amount - one.amount)
    expect(people.map(one => [one.person.length, one.amount, one.daily])).toEqual([
      [16, 2, true],
      [16, 1, true],
      [16, 1, true],
    ])
  })

  it('cannot be worked out any more after two days: the salt is destroyed', async () => {
    await reports.post(reports.batchOf({}))
    reports.stage.clock.turn(2 * dayMs + 1000)
    await reports.stage.booted.worker.sweep()
    expect(await reports.stage.sql('CN', 'SELECT * FROM collect_salts')).toEqual([])
  })
})

describe('a team', () => {
  let member: Person
  let stranger: Person
  beforeAll(async () => {
    member = await reports.stage.person()
    stranger = await reports.stage.person()
  })

  const ticketOf = async (person: Person) => (await person.ok(collect, 'getReportTicket')).ticket
  const use = (person: Person) => person.ok(collect, 'listTeamDays', { query: {} })

  it('reads what its members did, as its ticket proves', async () => {
    await reports.post({ ...reports.batchOf({}, { name: 'click', action: 'go' }), ticket: await ticketOf(member) })
    expect(await use(member)).toMatchObject({ views: 1, clicks: 1, visitors: 1, hasDailyPeople: true })
    expect(await member.ok(collect, 'listTeamShares', { query: { by: 'action' } })).toMatchObject({
      total: 1,
      list: [{ key: 'go', clicks: 1 }],
      other: null,
    })
    expect(await use(stranger)).toMatchObject({ views: 0, list: [] })
  })

  it('is never believed because somebody names it', async () => {
    const ticket = await ticketOf(stranger)
    const forged = ticket.replace(stranger.teamId, member.teamId)
    for (const sent of [forged, `${member.teamId}.1.x`, 'x'.repeat(200)]) {
      await reports.post({ ...reports.batchOf({ teamID: member.teamId }), ticket: sent }, { teamid: member.teamId })
    }
    expect((await reports.rowsOf()).map(row => row['team_id'])).toEqual([null, null, null])
    expect(await use(member)).toMatchObject({ views: 0 })
  })

  it('is proven until the end of the next day', async () => {
    const ticket = await ticketOf(member)
    reports.stage.clock.turn(2 * dayMs)
    await reports.post({ ...reports.batchOf({}), ticket })
    expect((await reports.rowsOf()).map(row => row['team_id'])).toEqual([null])
  })
})

describe('staff', () => {
  let staff: Person
  beforeAll(async () => {
    staff = await reports.stage.person({ staff: ['storeAdministrator'] })
  })

  const DID = randomUUID()

  it('reads use by day, language and face, without programs unless asked', async () => {
    const today = dayOf(reports.stage.clock.now())
    const yesterday = reports.stage.clock.now() - dayMs
    await reports.post(
      reports.batchOf({ DID, at: yesterday }, { DID, language: 'ru', face: 'reviewer' }, { DID, name: 'click' }),
    )
    await reports.post(reports.batchOf({ isDriven: true }))
    const read = (query: object) => staff.ok(collect, 'listUseDays', { query })
    expect(await read({})).toMatchObject({
      views: 2,
      clicks: 1,
      visitors: 1,
      hasDailyPeople: false,
      list: [
        { day: dayOf(yesterday), views: 1, clicks: 0, visitors: 1 },
        { day: today, views: 1, clicks: 1, visitors: 1 },
      ],
    })
    expect(await read({ language: 'ru' })).toMatchObject({ views: 1, clicks: 0 })
    expect(await read({ face: 'reviewer' })).toMatchObject({ views: 1 })
    expect(await read({ day: dayOf(yesterday) })).toMatchObject({ views: 1, list: [{ day: dayOf(yesterday) }] })
    expect(await read({ days: 1 })).toMatchObject({ views: 1, clicks: 1 })
    expect(await read({ withBots: true })).toMatchObject({ views: 3, visitors: 2, hasDailyPeople: true })
  })

  it('reads the pages most used, and the rest as one number', async () => {
    const many = Array.from({ length: 101 }, (_none, at) => ({ page: `/page-${at}` }))
    await reports.post(reports.batchOf(...many, { page: '/page-7' }))
    const { total, list, other } = await staff.ok(collect, 'listUseShares', { query: { by: 'page' } })
    expect([total, list.length, list[0], other]).toEqual([
      102,
      100,
      { key: '/page-7', views: 2, clicks: 0, visitors: 1 },
      1,
    ])
  })

  it('follows people from page to page in the order they went', async () => {
    const at = reports.stage.clock.now() - 60_000
    const way = (person: string, ...pages: string[]) =>
      pages.map((page, step) => ({ DID: person, page, at: at + step }))
    await reports.post(
      reports.batchOf(
        ...way(randomUUID(), '/apps', '/apps/new', '/apps/$appId'),
        ...way(randomUUID(), '/apps/new', '/apps'),
        ...way(randomUUID(), '/apps', '/files', '/apps/new'),
      ),
    )
    const steps = ['/apps', '/apps/new', '/apps/$appId'].map(page => `steps=${encodeURIComponent(page)}`).join('&')
    const reply = await reports.stage.app.inject({
      url: `/hianalytics/manage/use/funnel?${steps}`,
      headers: { cookie: staff.cookie },
    })
    expect(reply.json().list).toEqual([
      { page: '/apps', visitors: 3 },
      { page: '/apps/new', visitors: 2 },
      { page: '/apps/$appId', visitors: 1 },
    ])
  })

  it('reads late events nowhere: the days they belong to have been read already', async () => {
    await reports.post(reports.batchOf({ at: reports.stage.clock.now() - 8 * dayMs }))
    expect((await reports.rowsOf()).map(row => row['is_late'])).toEqual([true])
    expect(await staff.ok(collect, 'listUseDays', { query: { days: 30 } })).toMatchObject({ views: 0 })
  })

  it('finds nothing of ninety days ago: old events are dropped', async () => {
    await reports.post(reports.batchOf({ at: reports.stage.clock.now() - 91 * dayMs }, {}))
    await reports.stage.booted.worker.sweep()
    expect(await reports.rowsOf()).toHaveLength(1)
  })
})
