import { and, asc, eq, gt } from 'drizzle-orm'
import { refuse } from '../../../../../kernel/errors.ts'
import { flag, integer, nullable, optional, shape, Type } from '../../../../../kernel/shape.ts'
import { latest } from '../../rules.ts'
import { scalingLimits } from '../../scaling/rules.ts'
import { managerConfigs } from '../../scaling/tables.ts'
import { functions } from '../../tables.ts'
import { newerErrors as errors } from '../contract.ts'
import { changeInstances, namedBy, viewOf } from '../functions.ts'
import { urnOf } from '../rules.ts'
import { type Asked, bare, pageSizeOf, withBody } from './asked.ts'

const Tactics = Type.Record(Type.String(), Type.Array(Type.Unknown()))
const Reserve = shape(
  {
    count: integer(0, scalingLimits.minInstances),
    idle_mode: optional(nullable(flag())),
    tactics_config: optional(nullable(Tactics)),
  },
  { additionalProperties: true },
)

export const reserve = withBody({ body: Reserve }, async (asked, { count, idle_mode, tactics_config }) => {
  const hasTactics = Object.values(tactics_config ?? {}).some(list => list.length > 0)
  const notHere = [...(idle_mode ? ['idle_mode'] : []), ...(hasTactics ? ['tactics_config'] : [])]
  if (notHere.length > 0) refuse(errors.notHere, { what: notHere.join(', ') })
  const { row, qualifier } = await namedBy(asked, asked.params['urn'] ?? '')
  const set = await changeInstances(asked, row.functionId, qualifier, { minInstances: count })
  return { count: set.minInstances, idle_mode: false }
})

const Most = shape({ max_instance_num: integer(-1, scalingLimits.maxInstances) }, { additionalProperties: true })

export const setMost = withBody({ body: Most }, async (asked, { max_instance_num }) => {
  if (max_instance_num === 0) refuse(errors.notHere, { what: 'max_instance_num 0' })
  const { row, qualifier } = await namedBy(asked, asked.params['urn'] ?? '')
  const maxInstances = max_instance_num === -1 ? scalingLimits.maxInstances : max_instance_num
  await changeInstances(asked, row.functionId, qualifier, { maxInstances })
  return viewOf(asked, row, qualifier)
})

/** What is always there of the project's functions, by pages that are counted. */
async function reservedOf(asked: Asked, urn: string | undefined) {
  const { ctx, projectId, query } = asked
  const wanted = urn === undefined || urn === '' ? null : await namedBy(asked, urn)
  const limit = pageSizeOf(query, 'limit')
  const offset = /^[0-9]{1,6}$/.test(query['marker'] ?? '') ? Number(query['marker']) : 0
  const isMeant = and(
    eq(functions.projectId, projectId),
    gt(managerConfigs.minInstances, 0),
    wanted ? eq(functions.functionId, wanted.row.functionId) : undefined,
    wanted && wanted.qualifier !== latest ? eq(managerConfigs.qualifier, wanted.qualifier) : undefined,
  )
  const { qualifier, minInstances } = managerConfigs
  const rows = await ctx.transact(inner =>
    inner.db
      .select({ functionName: functions.functionName, qualifier, minInstances })
      .from(managerConfigs)
      .innerJoin(functions, eq(functions.functionId, managerConfigs.functionId))
      .where(isMeant)
      .orderBy(asc(managerConfigs.functionId), asc(qualifier))
      .limit(limit + 1)
      .offset(offset),
  )
  const list = rows.slice(0, limit).map(one => ({ ...one, urn: urnOf(ctx.zone, { projectId, ...one }) }))
  const next_marker = rows.length > limit ? offset + limit : 0
  const page_info = { next_marker, previous_marker: Math.max(0, offset - limit), current_count: list.length }
  return { list, page_info }
}

export const listReserved = bare(async asked => {
  const { list, page_info } = await reservedOf(asked, asked.query['urn'])
  const reservedinstances = list.map(one => ({ func_urn: one.urn, count: one.minInstances }))
  return { reservedinstances, page_info, count: list.length }
})

export const listReserveConfigs = bare(async asked => {
  const { list, page_info } = await reservedOf(asked, asked.query['function_urn'])
  const reserved_instances = list.map(({ urn, qualifier, minInstances }) => ({
    function_urn: urn,
    qualifier_type: qualifier === latest || /^[0-9]/.test(qualifier) ? 'version' : 'alias',
    qualifier_name: qualifier === latest ? 'latest' : qualifier,
    ...{ min_count: minInstances, idle_mode: false },
  }))
  return { reserved_instances, page_info, count: list.length }
})
