import type { Context } from '../../../server/context.ts'
import { appOf } from '../apps/public.ts'

interface Wish {
  appId?: string
  search?: string
  cursor?: string
  pageSize?: number
}

const product = (name: string) => `lower(normalize(regexp_replace(btrim(${name}), '\\s+', ' ', 'g'), NFKC))`

interface Row {
  app_id: string
  name: string
  package_name: string | null
  package_type: string
  device_types: number[]
  is_alike: boolean
  total: string
}

/**
 * Apps of the team that stand in no series, those of the same name or developer as the app first; without `search` only
 * those. The name is compared as the product's: NFKC, lower case, blanks collapsed.
 */
export async function candidates(ctx: Context, { body }: { body: Wish }) {
  const app = body.appId === undefined ? null : await appOf(ctx, body.appId)
  const { projects, apps } = ctx.scopeIds
  const pageSize = body.pageSize ?? 20
  const offset = /^[0-9]{1,6}$/.test(body.cursor ?? '') ? Number(body.cursor) : 0
  const like = body.search?.trim() ? `%${body.search.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const developers = app ? [app.developer.nameCn, app.developer.nameEn].filter(Boolean) : []
  const { rows } = await ctx.transaction(ctx.zone).query<Row>({
    text: `WITH found AS (
        SELECT a.app_id, a.name, a.package_name, a.package_type, a.device_types,
          ($3::text IS NOT NULL AND (${product('a.name')} = ${product('$3')} OR a.developer_name_cn = ANY($4) OR a.developer_name_en = ANY($4)))
            AS is_alike
        FROM apps a WHERE a.team_id = $1 AND a.state <> 'DELETED' AND a.demo IS NULL AND a.app_id IS DISTINCT FROM $2::bigint
          AND NOT EXISTS (SELECT 1 FROM app_series_members m WHERE m.app_id = a.app_id)
          AND ($5::text IS NULL OR a.name ILIKE $5 OR a.package_name ILIKE $5)
          AND ($6::bigint[] IS NULL OR a.project_id = ANY($6) OR a.app_id = ANY($7::bigint[])))
      SELECT found.*, count(*) OVER () AS total FROM found WHERE is_alike OR $5::text IS NOT NULL OR $3::text IS NULL
      ORDER BY is_alike DESC, lower(name), app_id LIMIT $8 OFFSET $9`,
    values: [ctx.teamId, app?.appId ?? null, app?.name ?? null, developers, like, projects, apps, pageSize + 1, offset],
  })
  const page = rows.slice(0, pageSize)
  return {
    total: Number(rows[0]?.total ?? 0),
    list: page.map(row => ({
      appId: String(row.app_id),
      name: row.name,
      packageName: row.package_name,
      packageType: row.package_type,
      deviceTypes: row.device_types,
      isAlike: row.is_alike,
    })),
    nextCursor: rows.length > pageSize ? String(offset + pageSize) : null,
  }
}
