import { describe, expect, it } from 'vitest'
import { mostWaiting, pauseAfter, type ReportedEvent, ReportOutbox } from './outbox.ts'

const eventOf = (at: number, text = ''): ReportedEvent => ({ eventId: String(at), name: 'page', at, text })

describe('events that wait', () => {
  it('are at most a thousand; the oldest go', () => {
    const outbox = new ReportOutbox()
    for (let at = 0; at < mostWaiting + 5; at++) outbox.add('CN', undefined, eventOf(at))
    expect([outbox.size, outbox.next()?.events[0]?.at]).toEqual([1000, 5])
  })

  it('go in batches of one zone and one team, the oldest first, and stay until they are removed', () => {
    const outbox = new ReportOutbox()
    outbox.add('CN', '1', eventOf(1))
    outbox.add('DE', '1', eventOf(2))
    outbox.add('CN', '2', eventOf(3))
    outbox.add('CN', '1', eventOf(4))
    const batches = []
    for (let batch = outbox.next(); batch; batch = outbox.next()) {
      expect(outbox.next()).toEqual(batch)
      batches.push([batch.zone, batch.teamId, batch.events.map(event => event.at)])
      outbox.remove(batch.events)
    }
    expect(batches).toEqual([
      ['CN', '1', [1, 4]],
      ['DE', '1', [2]],
      ['CN', '2', [3]],
    ])
  })

  it('go a hundred at a time, and never more than a beacon takes', () => {
    const outbox = new ReportOutbox()
    for (let at = 0; at < 150; at++) outbox.add('CN', undefined, eventOf(at))
    expect(outbox.next()?.events).toHaveLength(100)
    const large = new ReportOutbox()
    for (let at = 0; at < 100; at++) large.add('CN', undefined, eventOf(at, 'x'.repeat(1_000)))
    expect(JSON.stringify(large.next()).length).toBeLessThan(64 * 1024)
  })
})

it.each([
  [1, 2_000],
  [5, 32_000],
  [30, 600_000],
])('after %i failures the pause is at most %i ms, drawn from the whole span', (failures, most) => {
  expect([pauseAfter(failures, 0), pauseAfter(failures, 0.5), pauseAfter(failures, 1)]).toEqual([0, most / 2, most])
})
