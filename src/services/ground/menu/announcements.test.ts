import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { announcements } from './announcements/contract.ts'
import { billboard } from './billboard/contract.ts'
import { menuErrors } from './contract.ts'
import { billboardTurnMs } from './rules.ts'

let stage: Stage
let person: Person
let writer: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  person = await stage.person()
  writer = await stage.person({ staff: ['storeOperator'] })
})
afterAll(() => stage.close())

const inThree = (text: string) => ({ zh: `${text}（中文）`, en: text, ru: `${text} (по-русски)` })
const words = (title: string) => ({
  kind: 'news' as const,
  title: inThree(title),
  text: inThree('More of it.'),
  href: null,
  isBanner: true,
  zones: [] as ('CN' | 'DE')[],
  startAt: null as number | null,
  endAt: null as number | null,
})
const write = (title: string, changes: Partial<ReturnType<typeof words>> = {}) =>
  writer.ok(announcements, 'writeAnnouncement', { body: { ...words(title), ...changes } })
const act = (
  announcementId: string,
  action: 'schedule' | 'publish' | 'withdraw' | 'end' | 'delete',
  revision: number,
) => writer.call(announcements, 'actOnAnnouncement', { params: { announcementId }, body: { action, revision } })
const banners = async (who: Person) =>
  (await who.ok(announcements, 'listAnnouncements', { query: { state: 'live', isBanner: true } })).list.map(
    one => one.title.en,
  )
const now = () => stage.booted.server.clock.now()

describe('an announcement', () => {
  it('is nobody’s but the writer’s until it is published', async () => {
    const draft = await write('Draft')
    expect(draft).toMatchObject({ state: 'draft', revision: 1, allowedActions: ['publish', 'delete'] })
    expect(await banners(person)).not.toContain('Draft')
    const params = { announcementId: draft.announcementId }
    expect((await person.call(announcements, 'getAnnouncement', { params })).status).toBe(404)
    expect((await person.call(announcements, 'dismissAnnouncement', { params })).status).toBe(404)
    expect((await person.call(announcements, 'listWritten')).status).toBe(403)
  })

  it('goes live and ends by the clock, each with one event', async () => {
    const { announcementId } = await write('Timed', { startAt: now() + 60_000, endAt: now() + 120_000 })
    expect((await act(announcementId, 'schedule', 1)).body.state).toBe('scheduled')
    await stage.booted.worker.sweep()
    expect(await banners(person)).not.toContain('Timed')
    stage.clock.turn(60_000)
    await stage.booted.worker.sweep()
    expect(await banners(person)).toContain('Timed')
    stage.clock.turn(60_000)
    await stage.booted.worker.sweep()
    expect(await banners(person)).not.toContain('Timed')
    const seen = await person.ok(announcements, 'getAnnouncement', { params: { announcementId } })
    expect(seen.state).toBe('ended')
    const events = await stage.sql<{ type: string }>(
      'home',
      'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id',
      [announcementId],
    )
    expect(events.map(one => one.type)).toEqual(['announcement.scheduled', 'announcement.live', 'announcement.ended'])
  })

  it('whose whole time passed while nothing ran ends in one look at the clock', async () => {
    const { announcementId } = await write('Missed', { startAt: now() + 1000, endAt: now() + 2000 })
    await act(announcementId, 'schedule', 1)
    stage.clock.turn(600_000)
    await stage.booted.worker.sweep()
    expect((await person.ok(announcements, 'getAnnouncement', { params: { announcementId } })).state).toBe('ended')
  })

  it.each([
    ['schedule', {}, 'a start in the future'],
    ['publish', { endAt: 1 }, 'an end in the future'],
  ] as const)('that lacks its times cannot %s', async (action, times, missing) => {
    const { announcementId } = await write('Wrong', times)
    const reply = await act(announcementId, action, 1)
    expect([reply.status, reply.body.ret.code]).toEqual([422, menuErrors.datesWrong[0]])
    expect(reply.body.ret.msg).toContain(missing)
  })

  it('that ends before it starts is not written', async () => {
    const body = { ...words('Backwards'), startAt: 2000, endAt: 1000 }
    expect((await writer.call(announcements, 'writeAnnouncement', { body })).status).toBe(422)
  })

  it('is withdrawn, changed and deleted as its state allows', async () => {
    const { announcementId } = await write('Moving', { startAt: now() + 60_000 })
    await act(announcementId, 'schedule', 1)
    expect((await act(announcementId, 'delete', 2)).status).toBe(422)
    expect((await act(announcementId, 'withdraw', 1)).status).toBe(409)
    await act(announcementId, 'withdraw', 2)
    const params = { announcementId }
    const changed = await writer.ok(announcements, 'updateAnnouncement', {
      params,
      body: { ...words('Moved'), revision: 3 },
    })
    expect(changed).toMatchObject({ revision: 4, title: { en: 'Moved' } })
    expect((await act(announcementId, 'publish', 4)).body.state).toBe('live')
    expect((await act(announcementId, 'end', 5)).body.state).toBe('ended')
    const late = await writer.call(announcements, 'updateAnnouncement', {
      params,
      body: { ...words('Late'), revision: 6 },
    })
    expect([late.status, late.body.ret.code]).toEqual([422, menuErrors.archived[0]])
    expect((await act(announcementId, 'delete', 6)).body.state).toBeNull()
    expect((await person.call(announcements, 'getAnnouncement', { params })).status).toBe(404)
  })

  it('is told in its zones only', async () => {
    const { announcementId } = await write('For Europe', { zones: ['DE'] })
    await act(announcementId, 'publish', 1)
    const european = await stage.person({ zone: 'DE' })
    expect(await banners(european)).toContain('For Europe')
    expect(await banners(person)).not.toContain('For Europe')
    expect((await person.call(announcements, 'getAnnouncement', { params: { announcementId } })).status).toBe(404)
  })

  it('that somebody dismissed is no banner for that person again, and stays in the list', async () => {
    const { announcementId } = await write('Seen')
    await act(announcementId, 'publish', 1)
    const other = await stage.person({ team: person.teamId })
    await person.ok(announcements, 'dismissAnnouncement', { params: { announcementId } })
    await person.ok(announcements, 'dismissAnnouncement', { params: { announcementId } })
    expect(await banners(person)).not.toContain('Seen')
    expect(await banners(other)).toContain('Seen')
    const { list } = await person.ok(announcements, 'listAnnouncements')
    expect(list.find(one => one.announcementId === announcementId)?.isDismissed).toBe(true)
    const written = await writer.ok(announcements, 'listWritten', { query: { search: 'seen' } })
    expect(written.list[0]).toMatchObject({ dismissals: 1, allowedActions: ['end'] })
  })

  it.each(['javascript:alert(1)', '//evil.example', 'data:text/html,x'])('does not link to %s', async href => {
    const reply = await writer.call(announcements, 'writeAnnouncement', { body: { ...words('Link'), href } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/href'])
  })

  it('needs its words in three languages', async () => {
    const body = { ...words('Half'), title: { zh: '一半', en: 'Half', ru: ' ' } }
    const reply = await writer.call(announcements, 'writeAnnouncement', { body })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/title/ru'])
  })
})

describe('the billboard', () => {
  const slot = (en: string, changes: object = {}) => ({
    title: inThree(en),
    text: inThree(''),
    href: '#/services',
    tone: 'blue' as const,
    weight: 10,
    zones: [],
    isOn: true,
    startAt: null,
    endAt: null,
    ...changes,
  })

  it('shows what is on, of this zone and of this time, and counts who saw it', async () => {
    const made = await writer.ok(billboard, 'createSlot', { body: slot('On') })
    const hidden = [{ isOn: false }, { weight: 0 }, { zones: ['DE'] }, { startAt: now() + 1e9 }, { endAt: 1 }]
    for (const changes of hidden) await writer.ok(billboard, 'createSlot', { body: slot('Hidden', changes) })
    const shown = await person.ok(billboard, 'getBillboard', { query: { count: 5 } })
    expect(shown.list.map(one => one.title.en)).toEqual(['On'])
    expect(shown.untilAt % billboardTurnMs).toBe(0)
    const other = await stage.person()
    const see = (who: Person, kind: 'shown' | 'clicked') =>
      who.ok(billboard, 'recordImpressions', { body: { slotIds: [made.slotId, '1'], kind } })
    await see(person, 'shown')
    await see(person, 'shown')
    await see(other, 'shown')
    await see(other, 'clicked')
    const { list, total } = await writer.ok(billboard, 'listSlots')
    expect(total).toBe(6)
    expect(list.find(one => one.slotId === made.slotId)).toMatchObject({ shown: 3, clicked: 1, people: 2 })
  })

  it('is changed by who read it last, and deleted with its counts', async () => {
    const { slotId } = await writer.ok(billboard, 'createSlot', { body: slot('Later') })
    const params = { slotId }
    const body = { ...slot('Now'), revision: 1 }
    expect(await writer.ok(billboard, 'updateSlot', { params, body })).toMatchObject({
      revision: 2,
      title: { en: 'Now' },
    })
    expect((await writer.call(billboard, 'updateSlot', { params, body })).status).toBe(409)
    await writer.ok(billboard, 'deleteSlot', { params })
    expect((await writer.call(billboard, 'deleteSlot', { params })).status).toBe(404)
    expect((await person.call(billboard, 'createSlot', { body: slot('No') })).status).toBe(403)
  })
})
