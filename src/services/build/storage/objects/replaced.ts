import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'

/** So many commits have one look for all that they replaced. */
const gatherMs = 20
const waiting = new WeakMap<Server, Map<ZoneId, string[]>>()

/** SQL: whether no row names a blob. */
export const isUnnamed = (blob: string) => `NOT EXISTS (SELECT FROM storage_objects o WHERE o.blob = ${blob})
  AND NOT EXISTS (SELECT FROM storage_versions v WHERE v.blob = ${blob})`

/**
 * Takes bytes away that a commit has just replaced: they would take room until the collector comes, on the disk and in its
 * cache. What a copy names too stays, and what a process that dies leaves here is the collector's.
 */
export function dropReplaced(server: Server, zone: ZoneId, blobs: readonly string[]): void {
  if (blobs.length === 0) return
  const zones = waiting.get(server) ?? new Map<ZoneId, string[]>()
  waiting.set(server, zones)
  const gathered = zones.get(zone)
  if (gathered) return void gathered.push(...blobs)
  zones.set(zone, [...blobs])
  setTimeout(() => {
    const all = zones.get(zone) ?? []
    zones.delete(zone)
    drop(server, zone, all).catch(error => {
      server.log.debug({ zone, reason: error.message }, 'replaced bytes are left to the collector')
    })
  }, gatherMs).unref()
}

async function drop(server: Server, zone: ZoneId, blobs: readonly string[]): Promise<void> {
  const ctx = systemContext(server, zone, { name: 'storage', scope: 'all' })
  const free = await ctx.transact(inner => unnamedOf(inner, blobs))
  const engine = server.bytes(zone, 'storage')
  await Promise.all(free.map(blob => engine.remove(blob)))
  await ctx.transact(inner => forgetGarbage(inner, free))
}

async function unnamedOf(ctx: Context, blobs: readonly string[]): Promise<string[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ blob: string }>({
    name: 'storage unnamed',
    text: `SELECT blob FROM unnest($1::text[]) AS left_over(blob) WHERE ${isUnnamed('left_over.blob')}`,
    values: [blobs],
  })
  return rows.map(({ blob }) => blob)
}

/** After the bytes: a process that dies in between leaves something to do, not something to find. */
export async function forgetGarbage(ctx: Context, blobs: readonly string[]): Promise<void> {
  if (blobs.length === 0) return
  await ctx.transaction(ctx.zone).query({
    name: 'storage forget garbage',
    text: 'DELETE FROM storage_garbage WHERE blob = ANY($1)',
    values: [blobs],
  })
}
