import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement, PreparedAnswer } from '../../../../server/implement.ts'
import { placeOf } from '../catalogue.ts'
import { cloudDb } from '../contract.ts'
import { tellChanges } from '../live/tell.ts'
import type { Place } from '../model.ts'
import { inTurns, poolOf } from '../statements.ts'
import { type Actor, administrator } from './access.ts'
import { emptyType, purgeRows } from './clear.ts'
import { cloudDbObjects as contract } from './contract.ts'
import { restoreRows } from './put.ts'
import { countRows, findRows, guarded, sealerFor, toJson } from './read.ts'
import { dataErrors } from './rules.ts'
import { keyText, readRow } from './values.ts'
import { heldByKey, readWish, writeIn, writeRows } from './write.ts'

interface Where {
  projectId: string
  cloudDBZoneName: string
  objectTypeName: string
}

const pageRows = 50

/** Where the caller works, and as whom; the catalogue's transaction is over before a row is touched. */
async function enter(ctx: Context, where: Where): Promise<{ place: Place; actor: Actor }> {
  const { projectId, cloudDBZoneName: zone, objectTypeName: type } = where
  const place = await ctx.transact(inner => placeOf(inner, { projectId, zone, type }))
  return { place, actor: administrator(`console:${ctx.accountId}`, ctx.place.requestId) }
}

function note(ctx: Context, where: Where, action: string, after: Record<string, unknown>): Promise<void> {
  const { projectId, cloudDBZoneName: zone, objectTypeName: type } = where
  return ctx.transact(async inner => {
    inner.audit({ action, entity: 'project', entityId: projectId, after: { zone, type, ...after } })
  })
}

export default implement(contract, {
  queryObjects: async (ctx, { body }) => {
    const { place, actor } = await enter(ctx, body)
    const { queryConditions, deleted: isDeleted = false, withTotal = false } = body
    const hasLimit = queryConditions.some(one => (one as { conditionType?: unknown } | null)?.conditionType === 'Limit')
    const asked = hasLimit
      ? queryConditions
      : [...queryConditions, { conditionType: 'Limit', value: { number: pageRows, offset: 0 } }]
    const found = await findRows(place, actor, asked, { isDeleted })
    const limit = found.query.limit ?? pageRows
    const total = withTotal ? `,"total":${await countRows(place, actor, queryConditions, isDeleted)}` : ''
    const hasMore = found.rows.length === limit
    return new PreparedAnswer(`{"data":${toJson(place, found, { isConsole: true })}${total},"hasMore":${hasMore}}`)
  },

  putObject: async (ctx, { body }) => {
    const { place, actor } = await enter(ctx, body)
    const { operation, object, version } = body
    if (operation !== 'UPDATE') {
      const written = await writeRows(place, actor, operation, [object])
      await note(ctx, body, 'cloudDb.put', { operation })
      return { written }
    }
    const wish = readWish(place, 'UPSERT', [object])
    const seqs = await guarded(place, () =>
      inTurns(place.server, place.zone, async run => {
        const [held] = [...(await heldByKey(run, place, wish.rows)).values()]
        if (!held)
          return refuse(dataErrors.rowMissing, { key: keyText(place.type, column => wish.rows[0]?.get(column)) })
        if (version !== undefined && held.version !== version) refuse(dataErrors.rowsChanged)
        return (await writeIn(run, place, actor, wish)).seqs
      }),
    )
    tellChanges(place, seqs)
    await note(ctx, body, 'cloudDb.put', { operation })
    return { written: seqs.length }
  },

  deleteObject: async (ctx, { body }) => {
    const { place, actor } = await enter(ctx, body)
    const deleted = await writeRows(place, actor, 'DELETE', body.objects)
    await note(ctx, body, 'cloudDb.delete', { deleted })
    return { deleted }
  },

  deleteAllObjects: async (ctx, { query }) => {
    const { place } = await enter(ctx, query)
    if (query.confirm !== place.type.name) refuse(cloudDb.errors.confirmName, { name: place.type.name })
    const seqs = await guarded(place, () => inTurns(place.server, place.zone, run => emptyType(run, place)))
    tellChanges(place, seqs)
    await note(ctx, query, 'cloudDb.clear', {})
    return { objectTypeName: place.type.name }
  },

  purgeObjects: async (ctx, { body }) => {
    const { place } = await enter(ctx, body)
    const keys = body.objects.map(row => readRow(place.type, row, { keysOnly: true }))
    if (keys.length === 0) refuse(dataErrors.nothing)
    const purged = await guarded(place, () => purgeRows(poolOf(place.server, place.zone), place, keys))
    await note(ctx, body, 'cloudDb.purge', { purged })
    return { purged }
  },

  recoverObjects: async (ctx, { body }) => {
    const { place, actor } = await enter(ctx, body)
    const { primaryKeys = [], all = false } = body
    if (!all && primaryKeys.length === 0) refuse(dataErrors.nothing)
    const keys = all ? null : primaryKeys.map(row => readRow(place.type, row, { keysOnly: true }))
    const how = { by: actor.name, at: ctx.now() }
    const { seqs, restored } = await guarded(place, () =>
      restoreRows(poolOf(place.server, place.zone), place, keys, how),
    )
    tellChanges(place, seqs)
    await note(ctx, body, 'cloudDb.recover', { restored: restored.size })
    const wanted = (keys ?? []).map(row => keyText(place.type, column => row.get(column)))
    const conflicts = wanted
      .filter(key => !restored.has(key))
      .map(key => ({ key, reason: 'It is not in the recycle bin.' }))
    return { restored: seqs.length, conflicts }
  },

  loadField: async (ctx, { body }) => {
    const { place, actor } = await enter(ctx, body)
    const column =
      place.type.byName.get(body.fieldName) ??
      refuse(dataErrors.noSuchField, { typeName: place.type.name, field: body.fieldName })
    const key = readRow(place.type, body.primaryKey, { keysOnly: true })
    const conditions = place.type.keys.map(({ name }) => ({
      conditionType: 'EqualTo',
      fieldName: name,
      value: key.get(place.type.byName.get(name) as never),
    }))
    const found = await findRows(place, actor, [...conditions, { conditionType: 'Limit', value: { number: 1 } }])
    const raw = found.rows[0]?.[column.at]
    if (found.rows.length === 0) refuse(dataErrors.rowMissing, { key: keyText(place.type, one => key.get(one)) })
    const value = column.isSealed && raw !== null ? sealerFor(place).open(column, raw as string) : raw
    return {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${column.name}${column.type === 'ByteArray' ? '.bin' : '.txt'}"`,
        'x-content-type-options': 'nosniff',
      },
      body: Buffer.isBuffer(value) ? value : String(value ?? ''),
    }
  },
})
