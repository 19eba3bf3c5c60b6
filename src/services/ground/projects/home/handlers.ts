import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { storageUsed } from '../../files/public.ts'
import { memberCountOf } from '../../teams/public.ts'
import { cpmsDelegates, dgsDelegates } from '../contract.ts'
import type { HomeKind, HomeNeed } from './rules.ts'

const shownItems = 5
/** A release is news for so long. */
const newsMs = 30 * 24 * 3_600_000

const handlers: Handlers<typeof dgsDelegates> = {
  getAggregate: async ctx => {
    const [stored, { counted, items, members }] = await Promise.all([
      Promise.all(ctx.server.config.zones.map(zone => storageUsed(ctx, zone))),
      atHome(ctx),
    ])
    return {
      ...counted,
      members,
      storedObjects: stored.reduce((all, one) => all + one.objects, 0),
      storedBytes: stored.reduce((all, one) => all + one.bytes, 0),
      failedPackages: listed(items, 'failedPackage'),
      openTasks: {
        total: totalOf(items, 'task'),
        list: items.flatMap(item => (item.kind === 'task' && item.need ? [{ ...toItem(item), need: item.need }] : [])),
      },
      recentReleases: listed(items, 'release'),
    }
  },
}

/** In one packet, for they share a connection; what is stored is counted in the zones meanwhile. */
async function atHome(ctx: Context) {
  const [counted, items, members] = await Promise.all([countsOf(ctx), itemsOf(ctx), memberCountOf(ctx)])
  return { counted, items, members }
}

export const ofDgs = implement(dgsDelegates, handlers)
export const ofCpms = implement(cpmsDelegates, handlers)

interface ItemRow {
  kind: HomeKind
  entityId: string
  appId: string
  appName: string | null
  projectId: string | null
  zone: ZoneId
  need: HomeNeed | null
  at: string
  total: string
}

async function countsOf(ctx: Context): Promise<{ projects: number; apps: number }> {
  const { projects: scope } = ctx.scopeIds
  const { rows } = await ctx.transaction('home').query<{ projects: number; apps: number }>({
    name: 'home counts',
    text: `SELECT count(*)::int AS projects, coalesce(sum(app_count), 0)::int AS apps FROM projects
      WHERE team_id = $1 AND ($2::bigint[] IS NULL OR project_id = ANY($2))`,
    values: [ctx.teamId, scope],
  })
  return rows[0] ?? { projects: 0, apps: 0 }
}

/** The newest of each kind with how many there are, in one statement. */
async function itemsOf(ctx: Context): Promise<ItemRow[]> {
  const { projects, apps } = ctx.scopeIds
  const { rows } = await ctx.transaction('home').query<ItemRow>({
    name: 'home items',
    text: `SELECT kind, entity_id AS "entityId", app_id AS "appId", name AS "appName", project_id AS "projectId",
        zone, need, at, total
      FROM (SELECT i.*, a.name, a.project_id, count(*) OVER of_kind AS total,
          row_number() OVER (of_kind ORDER BY i.at DESC, i.entity_id DESC) AS place
        FROM home_items i LEFT JOIN project_apps a ON a.app_id = i.app_id
        WHERE i.team_id = $1 AND i.is_open AND (i.kind <> 'release' OR i.at > $2) AND NOT coalesce(a.has_ended, false)
          AND ($4::bigint[] IS NULL OR a.project_id = ANY($4) OR i.app_id = ANY($5::bigint[]))
        WINDOW of_kind AS (PARTITION BY i.kind)) AS found
      WHERE place <= $3 ORDER BY kind, place`,
    values: [ctx.teamId, ctx.now() - newsMs, shownItems, projects, apps],
  })
  return rows
}

function listed(items: readonly ItemRow[], kind: HomeKind) {
  return { total: totalOf(items, kind), list: items.filter(item => item.kind === kind).map(toItem) }
}

function totalOf(items: readonly ItemRow[], kind: HomeKind): number {
  return Number(items.find(item => item.kind === kind)?.total ?? 0)
}

function toItem({ entityId, appId, appName, projectId, zone, at }: ItemRow) {
  return { entityId, appId, appName: appName ?? '', projectId, zone, at: Number(at) }
}
