import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Batch, ReportedEvent } from './arrival.ts'
import { boundedNames } from './names.ts'
import { dailyPersonOf, teamOfTicket } from './people.ts'
import {
  cutText,
  dayOf,
  EventAllowance,
  isBotAgent,
  keepProps,
  limits,
  type NameKind,
  nameKinds,
  settleTime,
} from './rules.ts'

interface Reported {
  accepted: number
  repeated: number
}

/** What the server learns of a batch besides what it says. */
interface Arrived {
  receivedAt: number
  sentAt: number | undefined
  teamId: string | null
  isBot: boolean
  dailyPerson: (domain: string) => string
  nameOf: (kind: NameKind, name: string) => string
}

const allowances = new WeakMap<Server, EventAllowance>()

/** Keeps the events of a batch in the zone of the call; those that came before are counted as repeated. 429 beyond the allowance. */
export async function keepEvents(ctx: Context, batch: Batch, userAgent: string | undefined): Promise<Reported> {
  spend(ctx, batch.events.length)
  const { remember, ...reported } = await ctx.transact(async inner => {
    const teamId = teamOfTicket(ctx, batch.ticket)
    const named = batch.events.flatMap(event =>
      nameKinds.flatMap(kind => (event[kind] ? [{ kind, name: cutText(event[kind]).text }] : [])),
    )
    const { nameOf, remember } = await boundedNames(inner, teamId, named)
    const arrived = {
      receivedAt: ctx.now(),
      sentAt: batch.sentAt,
      teamId,
      isBot: isBotAgent(userAgent),
      dailyPerson: await dailyPersonOf(inner, userAgent ?? ''),
      nameOf,
    }
    const rows = batch.events.map(event => rowOf(event, arrived))
    // In the order of the key, so that two batches that share events do not wait for each other crosswise.
    const { rowCount } = await inner.transaction(inner.zone).query({
      name: 'collect keep',
      text: `INSERT INTO collect_events
        SELECT DISTINCT ON (event_id) * FROM jsonb_populate_recordset(NULL::collect_events, $1::jsonb) ORDER BY event_id
        ON CONFLICT (event_id) DO NOTHING`,
      values: [JSON.stringify(rows)],
    })
    const accepted = rowCount ?? 0
    return { accepted, repeated: batch.events.length - accepted, remember }
  }, 'all')
  remember()
  return reported
}

function spend(ctx: Context, events: number): void {
  const { rateFactor } = ctx.server.config
  const allowance =
    allowances.get(ctx.server) ??
    new EventAllowance(limits.eventsPerSecond * rateFactor, limits.eventsAtOnce * rateFactor)
  allowances.set(ctx.server, allowance)
  const retryAfterSeconds = allowance.take(ctx.place.ip ?? '', events, ctx.now())
  if (retryAfterSeconds > 0) refuse(commonErrors.tooMany, { retryAfterSeconds })
}

function rowOf(event: ReportedEvent, arrived: Arrived) {
  const time = settleTime(event.at, arrived.sentAt, arrived.receivedAt)
  const { props, isCut } = keepProps(event.props ?? {})
  let isAnyCut = isCut
  const cut = (value: string) => {
    const short = cutText(value)
    isAnyCut ||= short.isCut
    return short.text
  }
  const cutOr = (value: string | undefined) => (value === undefined || value === '' ? null : cut(value))
  const domain = cut(event.domain)
  return {
    event_id: event.eventId,
    day: dayOf(time.at),
    name: event.name,
    at: time.at,
    sent_at: arrived.sentAt ?? null,
    received_at: arrived.receivedAt,
    person: event.DID?.toLowerCase() ?? arrived.dailyPerson(domain),
    is_daily_person: event.DID === undefined,
    page_name: cut(event.pageName),
    page: arrived.nameOf('page', cut(event.page)),
    action: event.action ? arrived.nameOf('action', cut(event.action)) : null,
    face: event.face ?? null,
    service_item: cut(event.serviceItem),
    language: event.language,
    domain,
    product_id: cutOr(event.productID),
    app_id: cutOr(event.appID),
    user_type: cutOr(event.userType),
    country_id: cutOr(event.countryID),
    said_team_id: cutOr(event.teamID),
    team_id: arrived.teamId,
    child_type: cutOr(event.childType),
    source_channel: cutOr(event.sourceChannel),
    url_ref: cutOr(event.urlRef),
    grey_flag: event.greyFlag ?? 0,
    props,
    is_bot: arrived.isBot || event.isDriven === true,
    is_late: time.isLate,
    is_clock_fixed: time.isClockFixed,
    is_cut: isAnyCut,
  }
}
