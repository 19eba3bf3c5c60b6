import { randomUUID } from 'node:crypto'
import { openStage, type Stage } from '../../../testkit/stage.ts'

export const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
export const address = '/hianalytics/webv1'

/** A stage with what tests of the report address send and look at. */
export async function openReports(options: Parameters<typeof openStage>[0] = {}) {
  const stage: Stage = await openStage({ zones: ['CN', 'DE'], ...options })
  const eventOf = (own: Record<string, unknown> = {}) => ({
    eventId: randomUUID(),
    name: 'page',
    at: stage.clock.now(),
    pageName: 'consumer/en/service/josp/agc',
    page: '/apps/$appId',
    serviceItem: 'reach',
    language: 'en',
    domain: 'console.example',
    ...own,
  })
  return {
    stage,
    eventOf,
    batchOf: (...events: Record<string, unknown>[]) => ({ sentAt: stage.clock.now(), events: events.map(eventOf) }),
    /** Sends as a beacon does, unless told otherwise. */
    post: (payload: unknown, { zone = '', ...headers }: Record<string, string> = {}) =>
      stage.app.inject({
        method: 'POST',
        url: `${zone}${address}`,
        headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': browser, ...headers },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
    get: (query: Record<string, string>, method: 'GET' | 'HEAD' = 'GET', place = address) =>
      stage.app.inject({ method, url: `${place}?${new URLSearchParams(query)}`, headers: { 'user-agent': browser } }),
    rowsOf: (zone: 'CN' | 'DE' = 'CN') =>
      stage.sql<Record<string, unknown>>(zone, 'SELECT * FROM collect_events ORDER BY event_id'),
    empty: (zone: 'CN' | 'DE' = 'CN') => stage.sql(zone, 'DELETE FROM collect_events'),
  }
}

export type Reports = Awaited<ReturnType<typeof openReports>>
