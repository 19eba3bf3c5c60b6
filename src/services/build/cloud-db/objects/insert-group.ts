import { refuse } from '../../../../kernel/errors.ts'
import { Together, type Waiting } from '../../../../server/together.ts'
import type { Column, Place, TypeModel } from '../model.ts'
import { poolOf } from '../statements.ts'
import { putRows, type StoredRow, type Told } from './put.ts'
import { dataErrors } from './rules.ts'
import { keyText, toParameter } from './values.ts'

interface Wanted {
  place: Place
  row: StoredRow
  by: string
  creator: string | null
  bytes: number
}

type Writer = Together<Wanted, Told>

/** By type, then by data zone, how many functions led there, and the fields that are sent. */
const writers = new WeakMap<TypeModel, Map<string, Writer>>()

/** Inserts one row together with others. A row whose key is taken is refused, the others are not. */
export function insertTogether(
  place: Place,
  row: StoredRow,
  how: { by: string; creator: string | null; bytes: number },
): Promise<Told> {
  const columns = place.type.columns.filter(column => row.has(column))
  const all = writers.get(place.type) ?? new Map<string, Writer>()
  writers.set(place.type, all)
  const name = `${place.dataZone.zoneId} ${place.hops ?? 0} ${columns.map(column => column.at).join(',')}`
  let writer = all.get(name)
  if (!writer) {
    writer = new Together({ keyOf: one => keyOf(one.place.type, one.row), act: insertGroup })
    all.set(name, writer)
  }
  return writer.add({ place, row, ...how })
}

/** Of a key that is counted nobody knows which row got which. */
export const goesTogether = ({ auto }: TypeModel): boolean => auto === null

/** As the statement names rows: the texts of their keys. */
const keyOf = (type: TypeModel, row: StoredRow): string =>
  JSON.stringify(type.keys.map(key => String(toParameter(key, row.get(key) ?? null))))

async function insertGroup(group: readonly Waiting<Wanted, Told>[]): Promise<void> {
  const all = group.map(({ one }) => one)
  const place = all[0]?.place
  if (!place) return
  const { told } = await putRows(
    poolOf(place.server, place.zone),
    place,
    all.map(one => one.row),
    {
      isInsert: true,
      by: all.map(one => one.by),
      creators: all.map(one => one.creator),
      at: place.server.clock.now(),
      bytes: all.reduce((sum, one) => sum + one.bytes, 0),
    },
  )
  const found = new Map(told.map(one => [JSON.stringify(one.key), one]))
  for (const waits of group) {
    const own = found.get(waits.key)
    if (own) waits.resolve(own)
    else waits.reject(takenBy(place.type, waits.one.row))
  }
}

function takenBy(type: TypeModel, row: StoredRow): unknown {
  try {
    return refuse(dataErrors.keyTaken, { key: keyText(type, (column: Column) => row.get(column)) })
  } catch (error) {
    return error
  }
}
