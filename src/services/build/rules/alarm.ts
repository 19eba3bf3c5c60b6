import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import type { RuledService } from './engine-types.ts'
import { subjectOf } from './publishing.ts'
import { alarm, hasDenialsRisen } from './rules.ts'

const minuteMs = 60_000

interface Head {
  projectId: string
  service: RuledService
  teamId: string
  version: number
  publishedAt: string
}

/** Compares what is denied since each publish of the last hour with the hour before it; tells of each version once. */
export async function watchPublishes(ctx: Context): Promise<void> {
  const transaction = ctx.transaction(ctx.zone)
  const { rows } = await transaction.query<Head & Record<string, unknown>>({
    name: 'rules published lately',
    text: `SELECT h.project_id AS "projectId", h.service, h.team_id AS "teamId", v.version, v.published_at AS "publishedAt"
      FROM rules_heads h JOIN rules_versions v ON v.project_id = h.project_id AND v.service = h.service AND v.version = h.published
      WHERE v.published_at > $1 AND h.alarmed_version <> h.published`,
    values: [ctx.now() - alarm.windowMinutes * minuteMs],
  })
  for (const head of rows) await watch(ctx, head)
}

/** The minute of the publish has decisions of both versions and counts for neither. */
async function watch(ctx: Context, { projectId, service, teamId, version, publishedAt }: Head): Promise<void> {
  const minute = Math.floor(Number(publishedAt) / minuteMs)
  const { rows } = await ctx
    .transaction(ctx.zone)
    .query<Record<'allowed' | 'denied' | 'wasAllowed' | 'wasDenied', number>>({
      name: 'rules denials around a publish',
      text: `SELECT coalesce(sum(allowed) FILTER (WHERE minute > $3), 0)::float8 AS allowed,
        coalesce(sum(denied) FILTER (WHERE minute > $3), 0)::float8 AS denied,
        coalesce(sum(allowed) FILTER (WHERE minute < $3), 0)::float8 AS "wasAllowed",
        coalesce(sum(denied) FILTER (WHERE minute < $3), 0)::float8 AS "wasDenied"
      FROM rules_minutes WHERE project_id = $1 AND service = $2 AND minute BETWEEN $3 - $4 AND $3 + $4`,
      values: [projectId, service, minute, alarm.windowMinutes],
    })
  const [found] = rows
  if (!found) return
  const after = { allowed: found.allowed, denied: found.denied }
  if (!hasDenialsRisen({ allowed: found.wasAllowed, denied: found.wasDenied }, after)) return
  await ctx.transaction(ctx.zone).query({
    name: 'rules alarmed',
    text: 'UPDATE rules_heads SET alarmed_version = $3 WHERE project_id = $1 AND service = $2',
    values: [projectId, service, version],
  })
  ctx.emit({
    type: 'rules.denials_rose',
    entity: 'rules',
    entityId: subjectOf({ projectId, service }),
    teamId,
    data: { projectId, service, version, denied: found.denied, wasDenied: found.wasDenied },
  })
}

/** The words of the console's addresses. */
const words: Record<RuledService, string> = {
  'agc.cloud.storage': 'storage',
  'agc.cloud.db': 'database',
  'agc.lowcode': 'lowcode',
}

/** Those who may publish rules are told, with the way to what was denied. */
export async function tellDenials(ctx: Context, { teamId, data }: Event): Promise<void> {
  if (teamId === null) return
  const [projectId, service] = [String(data['projectId']), data['service'] as RuledService]
  const [version, denied] = [String(data['version']), String(data['denied'])]
  await notify(ctx, {
    to: { teamId, permission: 'rules.publish', about: { projectId } },
    category: 'operations',
    kind: 'rules.denialsRose',
    title: {
      zh: `规则版本 ${version} 发布后，被拒绝的请求突然增多`,
      en: `Many more requests are denied since version ${version} of the rules`,
      ru: `После версии ${version} правил отклоняется намного больше запросов`,
    },
    text: {
      zh: `自该版本发布以来，${service} 已拒绝 ${denied} 个请求，比例明显高于之前。请查看被拒绝的请求；较早的版本可以随时取回。`,
      en: `${service} has denied ${denied} requests since it was published, a far larger share than before. Look at what was denied; an older version can be taken back at any time.`,
      ru: `С момента публикации ${service} отклонил запросов: ${denied}, и их доля намного больше прежней. Посмотрите, что было отклонено; более раннюю версию можно вернуть в любой момент.`,
    },
    href: `/projects/${projectId}/rules/${words[service]}?tab=requests`,
    entityId: projectId,
  })
}
