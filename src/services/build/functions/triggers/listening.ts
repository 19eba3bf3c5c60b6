import type { Context } from '../../../../server/context.ts'
import type { Event, Listener } from '../../../../server/work.ts'
import { fire } from './firing.ts'
import { listeningTo } from './queries.ts'
import { waitsForFile } from './rules.ts'

const fileEvents: Readonly<Record<string, string>> = {
  'storage.finalized': 'FINALIZE',
  'storage.deleted': 'DELETE',
  'storage.changed': 'METADATA_UPDATE',
}
const userEvents: Readonly<Record<string, string>> = {
  'app_auth.user_created': 'USER_CREATED',
  'app_auth.user_deleted': 'USER_DELETED',
  'app_auth.signed_in': 'SIGN_IN',
}

export const triggerListeners: readonly Listener[] = [
  { name: 'functions.files', on: Object.keys(fileEvents), wants: wantedBy('CLOUDSTORAGE'), run: hearOfFile },
  { name: 'functions.users', on: Object.keys(userEvents), wants: wantedBy('AUTH'), run: hearOfUser },
]

/** How many functions led to it. */
const depthOf = ({ data }: Event): number => Number(data['hops'] ?? 0)

/** Events of the projects that have such triggers at all. */
function wantedBy(kind: 'CLOUDSTORAGE' | 'AUTH') {
  return async (ctx: Context, events: readonly Event[]): Promise<ReadonlySet<string>> => {
    const projectOf = (event: Event) => String(event.data['projectId'])
    const rows = await listeningTo(ctx, [...new Set(events.map(projectOf))], kind)
    const listening = new Set(rows.map(row => row.projectId))
    return new Set(events.filter(event => listening.has(projectOf(event))).map(event => event.eventId))
  }
}

async function hearOfFile(ctx: Context, event: Event): Promise<void> {
  const { projectId, bucketId, path, generation, sizeBytes, contentType, sha256, metadata } = event.data
  const eventType = fileEvents[event.type] ?? ''
  const file = { event: eventType, bucketId: String(bucketId), path: String(path) }
  const listening = (await listeningTo(ctx, [String(projectId)], 'CLOUDSTORAGE')).filter(
    one => one.activeSince <= event.at && waitsForFile(one.config, file),
  )
  if (listening.length === 0) return
  await assertFirst(ctx, event)
  const told = {
    ...{ eventType, bucket: bucketId, path, size: sizeBytes, contentType, sha256 },
    ...{ metadata: metadata ?? {}, generation: String(generation), time: event.at },
  }
  const order = { key: event.entityId, no: event.eventId }
  await fire(
    ctx,
    listening.map(trigger => ({ trigger, id: event.eventId, event: told, order, depth: depthOf(event) })),
  )
}

/**
 * Another process may have an earlier event of the same file in its hands: then this one comes again a moment later.
 * Events that are told in order leave few behind them, so few are looked at.
 */
async function assertFirst(ctx: Context, event: Event): Promise<void> {
  const { rows } = await ctx.transaction(ctx.zone).query({
    name: 'functions earlier event',
    text: `SELECT 1 FROM (
        SELECT event_id FROM outbox WHERE relayed_at IS NULL AND next_attempt_at = 0 AND event_id < $1 AND entity_id = $2 AND type = ANY($3)
        UNION ALL
        SELECT event_id FROM outbox WHERE relayed_at IS NULL AND next_attempt_at > 0 AND event_id < $1 AND entity_id = $2 AND type = ANY($3)
      ) AS earlier WHERE NOT EXISTS (SELECT 1 FROM event_receipts r WHERE r.listener = 'functions.files' AND r.event_id = earlier.event_id)`,
    values: [event.eventId, event.entityId, Object.keys(fileEvents)],
  })
  if (rows.length > 0) throw new Error('an earlier event of the file is told first')
}

async function hearOfUser(ctx: Context, event: Event): Promise<void> {
  const { projectId, uid, provider } = event.data
  const eventType = userEvents[event.type] ?? ''
  const listening = (await listeningTo(ctx, [String(projectId)], 'AUTH')).filter(
    one => one.activeSince <= event.at && one.config.events?.includes(eventType),
  )
  const told = { eventType, uid, ...(provider === undefined ? {} : { provider }), time: event.at }
  await fire(
    ctx,
    listening.map(trigger => ({ trigger, id: event.eventId, event: told, depth: depthOf(event) })),
  )
}
