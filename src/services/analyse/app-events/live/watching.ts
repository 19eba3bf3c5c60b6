import { LiveFeed } from '../../../../server/live-feed.ts'
import type { Server } from '../../../../server/server.ts'
import type { KeptEvent } from '../checking.ts'

const mostShown = 100
const shownForMs = 60_000
const propsShown = 300

/** An event as those see it who watch. `props` is the beginning of a JSON text. */
export interface LiveEvent {
  eventId: string
  name: string
  unit: string
  at: number
  receivedAt: number
  value: number | null
  variant: string | null
  props: string
}

const all = new WeakMap<Server, LiveFeed<LiveEvent>>()

/** What apps of watched projects report, told with the commit that keeps it. */
export function liveEventsOf(server: Server): LiveFeed<LiveEvent> {
  let live = all.get(server)
  if (!live) {
    live = new LiveFeed(server, { name: 'app_events', mostShown, shownForMs, cameAt: one => one.receivedAt })
    all.set(server, live)
  }
  return live
}

/** What is told of a batch to those who watch: the first ones, as many as fit. */
export function livePayload(
  live: LiveFeed<LiveEvent>,
  projectId: string,
  events: readonly KeptEvent[],
  receivedAt: number,
): string {
  const shown = events.slice(0, mostShown).map(
    ({ event_id: eventId, name, unit, at, value, variant, props }): LiveEvent => ({
      ...{ eventId, name, unit, at, receivedAt, value, variant },
      props: props.slice(0, propsShown).toWellFormed(),
    }),
  )
  return live.payloadOf(projectId, shown).payload
}
