import type { Context } from '../../../server/context.ts'
import type { Event } from '../../../server/work.ts'
import { databaseOf } from './catalogue.ts'
import { forgetInKept } from './kept/store.ts'
import { tableOf } from './model.ts'
import { logManyChanged } from './objects/put.ts'

/** A user of an app is gone: with `eraseData` the rows the user made go too, from the bin as well. */
export async function forgetUser(ctx: Context, event: Event): Promise<void> {
  const { projectId, uid, eraseData } = event.data as { projectId: string; uid: string; eraseData: boolean }
  await ctx.transaction(ctx.zone).query({
    text: 'DELETE FROM cdb_user_keys WHERE project_id = $1 AND uid = $2',
    values: [projectId, uid],
  })
  if (!eraseData) return
  const database = await databaseOf(ctx.server, ctx.zone, projectId)
  if (!database) return
  const run = ctx.transaction(ctx.zone)
  await forgetInKept(ctx, projectId, uid)
  for (const dataZone of database.zones.values()) {
    for (const type of database.types.values()) {
      const gone = await run.query({
        text: `DELETE FROM ${tableOf(dataZone, type)} WHERE naturalbase_creator = $1`,
        values: [uid],
      })
      const place = { server: ctx.server, zone: ctx.zone, database, dataZone, type }
      if (gone.rowCount) await logManyChanged(run, place, ctx.now())
      await run.query({
        text: `DELETE FROM cdb_changes WHERE zone_id = $1 AND type_key = $2
          AND (before ->> 'naturalbase_creator' = $3 OR after ->> 'naturalbase_creator' = $3)`,
        values: [dataZone.zoneId, type.key, uid],
      })
    }
  }
}
