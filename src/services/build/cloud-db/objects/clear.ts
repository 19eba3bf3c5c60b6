import { refuse } from '../../../../kernel/errors.ts'
import { type Column, countersOf, type Place, tableOf } from '../model.ts'
import { prepared, type Runner } from '../statements.ts'
import type { Actor } from './access.ts'
import { logManyChanged } from './put.ts'
import { reachOf } from './rights.ts'
import { dataErrors } from './rules.ts'

/** Deletes every live row, into the bin where there is one; for administrators. */
export async function clearRows(run: Runner, place: Place, actor: Actor): Promise<{ deleted: number; seqs: string[] }> {
  if (!actor.standing.isAdministrator || reachOf(place.type.definition, actor.standing, 'Delete') !== 'all') {
    refuse(dataErrors.denied, { right: 'delete', where: ' everything' })
  }
  const table = tableOf(place.dataZone, place.type)
  const at = place.server.clock.now()
  const gone =
    place.database.retentionDays > 0
      ? await run.query(
          prepared(
            `UPDATE ${table} SET naturalbase_deleted = true, naturalbase_deletedtime = $1::bigint, naturalbase_operationtime = $1::bigint,
            naturalbase_lastmodifier = $2, naturalbase_version = nextval('${countersOf(place.dataZone)}') WHERE NOT naturalbase_deleted`,
            [at, actor.name],
          ),
        )
      : await run.query(prepared(`DELETE FROM ${table} WHERE NOT naturalbase_deleted`, []))
  const { seqs } = await logManyChanged(run, place, at)
  return { deleted: gone.rowCount ?? 0, seqs }
}

/** Empties the type in the zone for good: the bin too, and keys are counted from 1 again. */
export async function emptyType(run: Runner, place: Place): Promise<string[]> {
  const { type, dataZone } = place
  await run.query({ text: `SET LOCAL lock_timeout = '3s'` })
  await run.query({ text: `TRUNCATE ${tableOf(dataZone, type)}` })
  if (type.auto) await run.query({ text: `ALTER SEQUENCE ${dataZone.schema}."q_${type.key}" RESTART` })
  return (await logManyChanged(run, place, place.server.clock.now())).seqs
}

/** Takes rows out of the bin for good. */
export async function purgeRows(
  run: Runner,
  place: Place,
  keys: readonly ReadonlyMap<Column, unknown>[],
): Promise<number> {
  const { type } = place
  const arrays = type.keys.map((_key, at) => `$${at + 1}`)
  const lists = type.keys.map(key => keys.map(row => String(row.get(key))))
  const casts = type.keys.map((key, at) => `t.${key.sql}::text = s.k${at}`)
  const text = `DELETE FROM ${tableOf(place.dataZone, type)} AS t
    USING unnest(${arrays.map(one => `${one}::text[]`).join(', ')}) AS s(${arrays.map((_one, at) => `k${at}`).join(', ')})
    WHERE t.naturalbase_deleted AND ${casts.join(' AND ')}`
  return (await run.query(prepared(text, lists))).rowCount ?? 0
}
