import { browserPage, loadOrGet } from '../jsonp.ts'
import { mode } from '../mode.ts'
import { type ReportPlace, reportAddressOf } from './report-address.ts'
import type { ReportPort } from './report-port.ts'
import type { Sent, Ways } from './sender.ts'

/** Whoever does not answer by then is taken for unreachable: nothing else goes out meanwhile. */
const answerMs = 20_000
/** Before a ticket ends a new one is asked for. */
const earlierMs = 60_000

async function post(address: string, body: string): Promise<Sent> {
  let response: Response
  try {
    // As text, so that a host of another zone is not asked beforehand whether it takes it.
    response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body,
      credentials: 'omit',
      keepalive: true,
      signal: AbortSignal.timeout(answerMs),
    })
  } catch {
    return 'blocked'
  }
  if (response.ok) return 'sent'
  if (response.status !== 429 && response.status < 500) return 'refused'
  return { retryAfterMs: (Number(response.headers.get('retry-after')) || 1) * 1000 }
}

/** The ways out of this page. Addresses and tickets are asked for once and remembered. */
export function browserWays(port: ReportPort): Ways {
  let places: readonly ReportPlace[] = []
  const tickets = new Map<string, { ticket: string; expiresAt: number }>()
  let asking: Promise<void> | undefined
  const learnPlaces = async () => {
    if (places.length > 0) return
    asking ??= port
      .readPlaces()
      .then(found => {
        places = found ?? []
      })
      .finally(() => {
        asking = undefined
      })
    await asking
  }
  // At once, so that a visit of a few seconds is not lost with its page.
  learnPlaces().catch(() => undefined)
  const knownTicket = (teamId: string | undefined) => {
    const known = teamId === undefined ? undefined : tickets.get(teamId)
    return known && known.expiresAt - earlierMs > Date.now() ? known.ticket : undefined
  }
  const origins = () => places.flatMap(place => (place.origin === null ? [] : [place.origin]))
  return {
    now: Date.now,
    random: Math.random,
    isOpen: () => navigator.onLine && !mode.isOpenTest(),
    later: (act, ms) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
    addressOf: async zone => {
      await learnPlaces()
      return reportAddressOf(places, zone, port.path)
    },
    ticketOf: async teamId => {
      const known = knownTicket(teamId)
      if (known !== undefined) return known
      const found = await port.readTicket()
      // The ticket is of the team that this tab acts for now; another team's events go without.
      if (!found?.ticket.startsWith(`${teamId}.`)) return undefined
      tickets.set(teamId, found)
      return found.ticket
    },
    known: ({ zone, teamId }) => ({
      address: reportAddressOf(places, zone, port.path),
      ticket: knownTicket(teamId),
    }),
    post,
    loadOrGet: address => loadOrGet(address, browserPage(), { allowed: origins() }),
    beacon: (address, body) => navigator.sendBeacon(address, body),
  }
}
