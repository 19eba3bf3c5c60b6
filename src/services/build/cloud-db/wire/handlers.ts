import type { FastifyRequest } from 'fastify'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { hopsIn } from '../../../../server/call-chain.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, type Handlers, implement, type WireAccess } from '../../../../server/implement.ts'
import { type AppCaller, appCallerOf } from '../../app-auth/public.ts'
import { databaseOf, typeOf, zoneOf } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { tellChanges } from '../live/tell.ts'
import type { Place } from '../model.ts'
import { type Actor, actorOf } from '../objects/access.ts'
import { clearRows } from '../objects/clear.ts'
import { readQuery } from '../objects/conditions.ts'
import { onceForRequest } from '../objects/once.ts'
import { findAggregates, findRows, guarded, toJson } from '../objects/read.ts'
import { dataErrors } from '../objects/rules.ts'
import { readTransaction, type SentTransaction, transactIn } from '../objects/transaction.ts'
import { updateRow } from '../objects/update.ts'
import { readWish, writeIn, writeRows } from '../objects/write.ts'
import { limits } from '../schema/rules.ts'
import { inTurns, poolOf, type Runner } from '../statements.ts'
import { countReads } from '../usage.ts'
import { type AppSchema, AppType, appSchemaOf } from './app-version.ts'
import { cloudGateway, deviceGateway } from './contract.ts'
import { deleteUserKey, putUserKey, userKeyOf } from './user-keys.ts'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const json = (body: string): Download => ({ headers: jsonHeaders, body })
const say = (answer: object): Download => json(JSON.stringify(answer))

type Where = Omit<Place, 'type'>

/** Who calls, and the data zone he means. */
async function enter(ctx: Context, request: FastifyRequest, zoneName: string): Promise<{ where: Where; actor: Actor }> {
  const caller = await appCallerOf(ctx.server, request.headers)
  const database = await databaseFor(ctx, caller)
  const dataZone = zoneOf(database, zoneName)
  const where = { server: ctx.server, zone: caller.zone, database, dataZone, hops: hopsIn(ctx.place, caller.projectId) }
  return { where, actor: actorOf(caller, request.ip, request.id) }
}

async function databaseFor(ctx: Context, caller: AppCaller) {
  if (!ctx.server.config.zones.includes(caller.zone)) refuse(commonErrors.zoneInvalid)
  const database = await databaseOf(ctx.server, caller.zone, caller.projectId)
  if (!database?.isEnabled) refuse(cloudDb.errors.notEnabled)
  return database
}

async function enterType(
  ctx: Context,
  { request }: WireAccess,
  body: { cloudDBZoneName: string; objectTypeName: string },
): Promise<{ place: Place; actor: Actor; app: AppType | null }> {
  const { where, actor } = await enter(ctx, request, body.cloudDBZoneName)
  const schema = await appSchemaOf(where, request.headers)
  const type = typeOf(where.database, body.objectTypeName)
  return { place: { ...where, type }, actor, app: schema && new AppType(type, schema) }
}

function requestIdOf(request: FastifyRequest): string | null {
  const sent = request.headers['requestid']
  if (sent === undefined || sent === '') return null
  if (typeof sent !== 'string' || !/^[\x21-\x7e]{1,64}$/.test(sent)) {
    return refuse(dataErrors.badParameter, { reason: 'requestId has 1 to 64 visible ASCII characters' })
  }
  return sent
}

/** Writes once for the request's id where it has one, and tells what was written. */
async function once(
  request: FastifyRequest,
  where: Where,
  work: (run: Runner) => Promise<{ answer: object; seqs: string[] }>,
): Promise<Download> {
  const id = requestIdOf(request)
  let seqs: string[] = []
  const answer = await inTurns(where.server, where.zone, async run => {
    const doIt = async () => {
      const done = await work(run)
      seqs = done.seqs
      return done.answer
    }
    if (id === null) return doIt()
    const asked = { id, body: [request.url, request.body], now: where.server.clock.now() }
    return (await onceForRequest(run, where.database, asked, doIt)).answer
  })
  tellChanges(where, seqs)
  return say(answer)
}

const handlers: Handlers<typeof cloudGateway> = {
  putObjects: async (ctx, { body }, wire) => {
    const { place, actor, app } = await enterType(ctx, wire, body)
    const objects = app ? body.objects.map(one => app.written(one)) : body.objects
    const isInsert = body.operationType === 1
    const name = isInsert ? 'insertNumber' : 'upsertNumber'
    const operation = isInsert ? 'INSERT' : 'UPSERT'
    if (requestIdOf(wire.request) === null) {
      return say({ [name]: await writeRows(place, actor, operation, objects) })
    }
    const wish = readWish(place, operation, objects)
    return guarded(place, () =>
      once(wire.request, place, async run => {
        const { seqs } = await writeIn(run, place, actor, wish)
        return { answer: { [name]: body.objects.length }, seqs }
      }),
    )
  },

  deleteObjects: async (ctx, { body }, wire) => {
    const { place, actor } = await enterType(ctx, wire, body)
    const wish = readWish(place, 'DELETE', body.objects)
    return guarded(place, () =>
      once(wire.request, place, async run => {
        const { seqs } = await writeIn(run, place, actor, wish)
        return { answer: { delNumber: seqs.length }, seqs }
      }),
    )
  },

  deleteAllObjects: async (ctx, { body }, wire) => {
    const { place, actor } = await enterType(ctx, wire, body)
    return guarded(place, () =>
      once(wire.request, place, async run => {
        const { deleted, seqs } = await clearRows(run, place, actor)
        return { answer: { delNumber: deleted }, seqs }
      }),
    )
  },

  queryObjects: async (ctx, { body }, wire) => {
    const { place, actor, app } = await enterType(ctx, wire, body)
    app?.assertConditions(body.queryConditions)
    const hasAggregate = body.queryConditions.some(isAggregate)
    if (!hasAggregate) return query(place, actor, body.queryConditions, app)
    const rows = await findAggregates(place, actor, readQuery(place.type, body.queryConditions))
    countReads(place, 1)
    return say({ data: rows })
  },

  queryForTransaction: async (ctx, { body }, wire) => {
    const { place, actor, app } = await enterType(ctx, wire, body)
    app?.assertConditions(body.queryConditions)
    return query(place, actor, body.queryConditions, app)
  },

  transact: async (ctx, { body }, { request }) => {
    const { where, actor } = await enter(ctx, request, body.cloudDBZoneName)
    const schema = await appSchemaOf(where, request.headers)
    const ready = readTransaction(where, schema ? { ...body, transactionList: knownWrites(where, schema, body) } : body)
    const written = ready.writes.reduce((total, one) => total + one.wish.rows.length, 0)
    if (written > limits.writeObjects) refuse(dataErrors.tooManyRows, { limit: limits.writeObjects })
    return guarded(where, () =>
      once(request, where, async run => ({ answer: { result: true }, seqs: await transactIn(run, actor, ready) })),
    )
  },

  updateObject: async (ctx, { body }, wire) => {
    const { place, actor, app } = await enterType(ctx, wire, body)
    const { primaryKey, conditions } = body
    const [increment, update] = [body.increment, body.update].map(one => (app ? app.written(one) : one))
    app?.assertConditions(conditions ?? [])
    const wish = { primaryKey, increment, update, conditions }
    return guarded(place, () =>
      once(wire.request, place, async run => {
        const { seqs } = await updateRow(run, place, actor, wish)
        return { answer: { affectNum: seqs.length }, seqs }
      }),
    )
  },

  getUserKey: async (ctx, _input, { request }) => {
    const { key, server, zone } = await ownerOf(ctx, request)
    return say({ userKey: await userKeyOf(poolOf(server, zone), key) })
  },

  putUserKey: async (ctx, { body }, { request }) => {
    const { key, server, zone } = await ownerOf(ctx, request)
    await putUserKey(poolOf(server, zone), key, body, server.clock.now())
    return say({ userKey: body.userKey })
  },

  deleteUserKey: async (ctx, { body }, { request }) => {
    const caller = await appCallerOf(ctx.server, request.headers)
    const { projectId } = await databaseFor(ctx, caller)
    if (!caller.isServer || caller.user) refuse(dataErrors.denied, { right: 'delete', where: ': servers do' })
    return say({ delNumber: await deleteUserKey(poolOf(ctx.server, caller.zone), { projectId, uid: body.userId }) })
  },
}

/** Whose key it is: nobody but the user who is signed in. */
async function ownerOf(ctx: Context, request: FastifyRequest) {
  const caller = await appCallerOf(ctx.server, request.headers)
  const { projectId } = await databaseFor(ctx, caller)
  const uid = caller.user?.uid ?? refuse(dataErrors.denied, { right: 'keep a key', where: ': sign in first' })
  return { server: ctx.server, zone: caller.zone, key: { projectId, uid } }
}

/** The writes of a transaction, each without what its app cannot know to be gone. */
function knownWrites(where: Where, schema: AppSchema, sent: SentTransaction) {
  return sent.transactionList.map(one => {
    const app = new AppType(typeOf(where.database, one.objectTypeName), schema)
    return { ...one, objects: one.objects.map(object => app.written(object)) }
  })
}

async function query(place: Place, actor: Actor, conditions: unknown, app: AppType | null): Promise<Download> {
  const found = await findRows(place, actor, conditions)
  countReads(place, found.rows.length)
  return json(`{"data":${toJson(place, found, app ? { fields: app.fields } : {})}}`)
}

const aggregateNames = new Set(['Count', 'Sum', 'Average', 'Max', 'Min'])
const isAggregate = (one: unknown): boolean =>
  aggregateNames.has(String((one as { conditionType?: unknown } | null)?.conditionType))

export default implement(cloudGateway, handlers)
export const ofDevices = implement(deviceGateway, handlers)
