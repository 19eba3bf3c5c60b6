import type { Context } from '../../../../server/context.ts'
import { clientNamesOf } from '../../../ground/api-clients/public.ts'
import { accountsOf } from '../../../ground/session/public.ts'

export interface TimelineEntry {
  at: number
  action: string
  from: string | null
  to: string | null
  actor: { kind: 'developer' | 'store' | 'system'; name: string | null }
  note: Record<string, unknown>
}

interface AuditRow {
  [column: string]: unknown
  entity_id: string
  at: string
  actor: string
  action: string
  before: { state?: string } | null
  after: { state?: string } | null
}

/** Moves that staff make: their names are not for the developer. */
const storeActions = new Set(['approve', 'reject', 'ask', 'forceOff', 'restore'])
/** Follow from a move of another version, which staff may have made. */
const consequences = new Set(['supersede', 'endPhase'])
const entriesOfVersion = 100

/** What happened to versions, the newest first, at most 100 entries each; edits that changed no state are left out. */
export async function timelinesOf(ctx: Context, versionIds: readonly string[]): Promise<Map<string, TimelineEntry[]>> {
  const timelines = new Map<string, TimelineEntry[]>(versionIds.map(id => [id, []]))
  if (versionIds.length === 0) return timelines
  const { rows } = await ctx.transaction(ctx.zone).query<AuditRow>({
    name: 'timelines of versions',
    text: `SELECT entity_id, at, actor, action, before, after FROM unnest($1::text[]) AS wanted(id)
      CROSS JOIN LATERAL (
        SELECT * FROM audit WHERE entity_id = wanted.id AND entity = 'version'
          AND (action <> 'version.edit' OR before->>'state' <> after->>'state')
        ORDER BY audit_id DESC LIMIT ${entriesOfVersion}) AS entry`,
    values: [[...versionIds]],
  })
  const names = await namesOfActors(ctx, rows)
  for (const row of rows) timelines.get(row.entity_id)?.push(toEntry(row, names))
  return timelines
}

async function namesOfActors(ctx: Context, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const idsOf = (kind: string) => [
    ...new Set(rows.filter(row => row.actor.startsWith(kind)).map(row => row.actor.slice(kind.length))),
  ]
  const accounts = await accountsOf(ctx, idsOf('user:'))
  const clients = await clientNamesOf(ctx, idsOf('client:'))
  return new Map([
    ...accounts.map(one => [`user:${one.accountId}`, one.name] as const),
    ...[...clients].map(([clientId, name]) => [`client:${clientId}`, name] as const),
  ])
}

function toEntry(row: AuditRow, names: ReadonlyMap<string, string>): TimelineEntry {
  const action = row.action.replace(/^version\./, '')
  const { state: to = null, ...note } = row.after ?? {}
  const isStore = storeActions.has(action)
  const isByHand = /^(?:user|client):/.test(row.actor) && !consequences.has(action)
  const kind = isStore ? 'store' : isByHand ? 'developer' : 'system'
  return {
    at: Number(row.at),
    action,
    from: row.before?.state ?? null,
    to,
    actor: { kind, name: kind === 'developer' ? (names.get(row.actor) ?? null) : null },
    note,
  }
}
