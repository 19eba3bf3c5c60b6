import { eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { bucketSignal } from '../buckets/facts.ts'
import type { Level } from '../rules.ts'
import { storageServices } from '../tables.ts'
import { storageDesk } from './contract.ts'

interface Found {
  projectId: string
  teamId: string
  level: Level
  storedBytes: string
  objects: string
  updatedAt: string
  revision: number
}

interface Wanted {
  search?: string | undefined
  level?: Level | undefined
  after: string
  limit: number
}

const meant = `($1::bigint IS NULL OR s.project_id = $1 OR s.team_id = $1) AND ($2::text IS NULL OR s.level = $2)`

async function servicesFrom(ctx: Context, { search, level, after, limit }: Wanted) {
  const { rows } = await ctx.transaction(ctx.zone).query<Found & Record<string, unknown>>({
    name: 'storage services listed',
    text: `SELECT s.project_id AS "projectId", s.team_id AS "teamId", s.level, s.updated_at AS "updatedAt", s.revision,
        coalesce(held.bytes, 0) AS "storedBytes", coalesce(held.objects, 0) AS objects
      FROM storage_services s LEFT JOIN LATERAL (SELECT sum(c.bytes) AS bytes, sum(c.objects) AS objects
        FROM storage_buckets b JOIN storage_counters c USING (bucket_id) WHERE b.project_id = s.project_id) held ON true
      WHERE ${meant} AND s.project_id > $3 ORDER BY s.project_id LIMIT $4`,
    values: [search ?? null, level ?? null, after, limit],
  })
  return rows.map(row => ({
    ...row,
    storedBytes: Math.max(0, Number(row.storedBytes)),
    objects: Math.max(0, Number(row.objects)),
    updatedAt: Number(row.updatedAt),
  }))
}

function idIn(value: string, field: string): string {
  if (!/^[1-9]\d{0,17}$/.test(value)) throw badField(field, 'id', 'is an id: digits only')
  return value
}

export default implement(storageDesk, {
  listServices: async (ctx, { body: { search: typed, level, cursor, pageSize = 20 } }) => {
    // Words that are no id are of nobody.
    const wanted = typed?.trim() ?? ''
    const search = wanted === '' ? undefined : /^[1-9][0-9]{0,18}$/.test(wanted) ? wanted : '0'
    const after = cursor === undefined ? '0' : idIn(cursor, '/cursor')
    const found = await servicesFrom(ctx, { search, level, after, limit: pageSize + 1 })
    const list = found.slice(0, pageSize)
    const { rows } = await ctx.transaction(ctx.zone).query<{ total: string }>({
      text: `SELECT count(*) AS total FROM storage_services s WHERE ${meant}`,
      values: [search ?? null, level ?? null],
    })
    return {
      total: Number(rows[0]?.total ?? 0),
      list,
      nextCursor: found.length > pageSize ? (list.at(-1)?.projectId ?? null) : null,
    }
  },

  setLevel: async (ctx, { body: { projectId, level, reason, revision } }) => {
    const [before] = await ctx.db
      .select()
      .from(storageServices)
      .where(eq(storageServices.projectId, projectId))
      .for('update')
    if (!before) refuse(commonErrors.notFound, { entity: 'project', id: projectId })
    if (before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
    if (before.level !== level) {
      const { teamId } = before
      await ctx.db
        .update(storageServices)
        .set({ level, updatedAt: ctx.now(), revision: sql`${storageServices.revision} + 1` })
        .where(eq(storageServices.projectId, projectId))
      ctx.audit({
        action: 'storage.level',
        entity: 'project',
        entityId: projectId,
        teamId,
        before: { level: before.level },
        after: { level, reason },
      })
      const data = { projectId, from: before.level, to: level, reason }
      ctx.emit({ type: 'storage.level_changed', entity: 'project', entityId: projectId, teamId, data })
      // Buckets carry the level of their project with them: all are looked up anew.
      ctx.signal(ctx.zone, bucketSignal, '')
    }
    const [now] = await servicesFrom(ctx, { search: projectId, after: String(BigInt(projectId) - 1n), limit: 1 })
    return now ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
  },
})
