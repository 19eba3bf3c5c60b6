import { zoneIds } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { type Download, implement, type WireAccess } from '../../../server/implement.ts'
import { parseBatch, readBatch } from './arrival.ts'
import { collect as contract } from './contract.ts'
import { exportTeamUse } from './export.ts'
import { keepEvents } from './keep.ts'
import { namesTaken } from './names.ts'
import { ticketOf } from './people.ts'
import { funnelOf, type NamesWish, rankedNames, useByDay, useByPart } from './queries.ts'
import { jsonpScript, limits } from './rules.ts'

/** Pages of every host may send here and read the answer: there is nothing private in it, and no cookie is read or set. */
const forEverybody = { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
const clearPixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export default implement(contract, {
  reportEvents: async (ctx, { stream, request }, wire) => {
    wire.reply.headers(forEverybody)
    return keepEvents(ctx, await readBatch(stream), request.headers['user-agent'])
  },

  reportByAddress: async (ctx, { query }, wire) => {
    const reported = await keepAddressed(ctx, query.data, wire)
    if (query.callback === undefined) return answer('text/plain', null, 204)
    const success = { ret: { code: 0, msg: 'success' }, ...reported }
    return answer('application/javascript; charset=utf-8', jsonpScript(query.callback, success))
  },

  reportByPicture: async (ctx, { query }, wire) => {
    await keepAddressed(ctx, query.data, wire)
    return answer('image/gif', clearPixel)
  },

  getReportSettings: async ctx => {
    const { zones, reportOrigins } = ctx.server.config
    const taking = zoneIds.filter(zone => zones.includes(zone) || reportOrigins[zone] !== undefined)
    return { list: taking.map(zone => ({ zone, origin: reportOrigins[zone] ?? null })) }
  },

  getReportTicket: async ctx => ticketOf(ctx),

  listTeamDays: (ctx, { query }) => useByDay(ctx, query, ctx.teamId),
  listTeamShares: (ctx, { query }) => useByPart(ctx, query, ctx.teamId),
  listTeamNames: (ctx, { query }) => teamNames(ctx, query),
  exportTeamUse: (ctx, { query }) => exportTeamUse(ctx, query),
  listUseDays: (ctx, { query }) => useByDay(ctx, query, null),
  listUseShares: (ctx, { query }) => useByPart(ctx, query, null),
  getUseFunnel: (ctx, { query }) => funnelOf(ctx, query),
})

async function teamNames(ctx: Context, wish: NamesWish) {
  const page = await rankedNames(ctx, wish)
  return { ...page, taken: await namesTaken(ctx, wish.kind), most: limits.namesOfKind }
}

/** Whoever asks for the head alone looks, and tells nothing. */
function keepAddressed(ctx: Context, data: string, { request }: WireAccess) {
  const batch = parseBatch(data)
  if (request.method === 'HEAD') return { accepted: 0, repeated: 0 }
  return keepEvents(ctx, batch, request.headers['user-agent'])
}

function answer(type: string, body: Buffer | string | null, status = 200): Download {
  return { status, headers: { ...forEverybody, 'content-type': type, 'cache-control': 'no-store' }, body }
}
