import { describe, expect, it } from 'vitest'
import type { ZoneId } from '../../kernel/zones.ts'
import { mostWaiting, type ReportedEvent } from './outbox.ts'
import { ReportSender, type Sent, type Ways } from './sender.ts'

/** A browser whose network, clock and answers the test decides. */
function openBrowser(own: Partial<Ways> = {}) {
  const posted: { address: string; body: { ticket?: string; events: ReportedEvent[] } }[] = []
  const loaded: string[] = []
  const beacons: string[] = []
  const planned: { act: () => void; ms: number }[] = []
  const state = { isOpen: true, sent: 'sent' as Sent, isLoaded: true }
  const ways: Ways = {
    now: () => 1_000,
    random: () => 1,
    isOpen: () => state.isOpen,
    later: (act, ms) => {
      const plan = { act, ms }
      planned.push(plan)
      return () => void planned.splice(planned.indexOf(plan), 1)
    },
    addressOf: async zone => `/${zone}/webv1`,
    ticketOf: async teamId => `ticket of ${teamId}`,
    known: ({ zone, teamId }) => ({ address: `/${zone}/webv1`, ticket: teamId && `ticket of ${teamId}` }),
    post: async (address, body) => {
      posted.push({ address, body: JSON.parse(body) })
      return state.sent
    },
    loadOrGet: async address => {
      loaded.push(address)
      return state.isLoaded
    },
    beacon: (address, body) => {
      beacons.push(`${address} ${JSON.parse(body).events.length}`)
      return true
    },
    ...own,
  }
  const sender = new ReportSender(ways)
  let made = 0
  const add = (zone: ZoneId = 'CN', teamId?: string) =>
    sender.add(zone, teamId, { eventId: String(++made), name: 'page', at: made })
  return { sender, add, posted, loaded, beacons, planned, state }
}

describe('the sender', () => {
  it('waits a little and sends what came together in one batch', async () => {
    const { sender, add, posted, planned } = openBrowser()
    add()
    add()
    expect(planned.map(plan => plan.ms)).toEqual([5_000])
    await sender.flush()
    expect(posted.map(one => [one.address, one.body.events.length])).toEqual([['/CN/webv1', 2]])
    expect(sender.waiting).toBe(0)
  })

  it('sends each event to the address of its own zone, with the ticket of its team', async () => {
    const { sender, add, posted } = openBrowser()
    add('DE', '7')
    add('CN')
    await sender.flush()
    expect(posted.map(one => [one.address, one.body.ticket])).toEqual([
      ['/DE/webv1', 'ticket of 7'],
      ['/CN/webv1', undefined],
    ])
  })

  it('works offline for a minute: keeps at most a thousand events and sends them when the network is back', async () => {
    const { sender, add, posted, planned, state } = openBrowser()
    state.isOpen = false
    for (let at = 0; at < mostWaiting + 10; at++) add()
    await sender.flush()
    expect([posted.length, sender.waiting]).toEqual([0, mostWaiting])
    state.isOpen = true
    sender.wake()
    expect(planned.at(-1)?.ms).toBe(500)
    await sender.flush()
    expect([posted.length, sender.waiting]).toEqual([10, 0])
  })

  it('sends nothing in the open-test mode, also not at the end', async () => {
    const { sender, add, posted, beacons, state } = openBrowser()
    add()
    state.isOpen = false
    await sender.flush()
    sender.handOver()
    expect([posted, beacons]).toEqual([[], []])
  })

  it('waits as long as 429 says, and longer after each failure', async () => {
    const { sender, add, planned, state } = openBrowser()
    add()
    state.sent = { retryAfterMs: 30_000 }
    await sender.flush()
    expect([planned.at(-1)?.ms, sender.waiting]).toEqual([30_000, 1])
    state.sent = { retryAfterMs: 0 }
    for (let failures = 2; failures <= 4; failures++) await sender.flush()
    expect(planned.at(-1)?.ms).toBe(16_000)
  })

  it('does not send again what was refused', async () => {
    const { sender, add, posted, state } = openBrowser()
    add()
    state.sent = 'refused'
    await sender.flush()
    await sender.flush()
    expect([posted.length, sender.waiting]).toEqual([1, 0])
  })

  it('takes the script or the plain GET where the address is blocked, one event each and without the ticket', async () => {
    const { sender, add, posted, loaded, state } = openBrowser()
    state.sent = 'blocked'
    add('CN', '7')
    add('CN', '7')
    await sender.flush()
    expect([loaded.length, sender.waiting]).toEqual([2, 0])
    expect(loaded.join()).not.toContain('ticket')
    add('CN', '7')
    await sender.flush()
    expect([posted.length, loaded.length]).toEqual([1, 3])
  })

  it('keeps what no way took', async () => {
    const { sender, add, state } = openBrowser()
    Object.assign(state, { sent: 'blocked', isLoaded: false })
    add()
    await sender.flush()
    expect(sender.waiting).toBe(1)
  })

  it('waits for what proves a team, and after three tries sends without it', async () => {
    const answers = [undefined, 'ticket that came late']
    const { sender, add, posted } = openBrowser({ ticketOf: async () => answers.shift() })
    add('CN', '7')
    await sender.flush()
    expect([posted.length, sender.waiting]).toEqual([0, 1])
    await sender.flush()
    expect(posted.map(one => one.body.ticket)).toEqual(['ticket that came late'])
    add('CN', '7')
    for (let tries = 1; tries <= 3; tries++) await sender.flush()
    expect(sender.waiting).toBe(1)
    await sender.flush()
    expect([posted.at(-1)?.body.ticket, sender.waiting]).toEqual([undefined, 0])
  })

  it('fails nothing when something throws', async () => {
    const { sender, add, planned } = openBrowser({ addressOf: () => Promise.reject(new Error('gone')) })
    add()
    await sender.flush()
    expect([sender.waiting, planned.length]).toEqual([1, 1])
  })

  it('hands over what waits at the end of a page', () => {
    const { sender, add, beacons } = openBrowser()
    add('CN')
    add('DE')
    add('CN')
    sender.handOver()
    expect([beacons, sender.waiting]).toEqual([['/CN/webv1 2', '/DE/webv1 1'], 0])
  })

  it('keeps what the browser did not take at the end', () => {
    const { sender, add } = openBrowser({ beacon: () => false })
    add()
    sender.handOver()
    expect(sender.waiting).toBe(1)
  })
})
