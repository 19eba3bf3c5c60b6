import { refuse } from '../../../../kernel/errors.ts'
import type { Column, Place, TypeModel } from '../model.ts'
import { poolOf } from '../statements.ts'
import { putRows, type StoredRow, type Told } from './put.ts'
import { dataErrors } from './rules.ts'
import { keyText, toParameter } from './values.ts'

interface Waiting {
  place: Place
  row: StoredRow
  by: string
  creator: string | null
  bytes: number
  resolve(told: Told): void
  reject(error: unknown): void
}

const mostOfGroup = 64
/** As many go in a group of their own beside one that is being written, */
const leastAlongside = 8
/** or any, beside one that waits for somebody. */
const slowMs = 50
const groupsAtOnce = 4

/** By type, then by data zone and the fields that are sent. */
const writers = new WeakMap<TypeModel, Map<string, InsertGroups>>()

/**
 * Inserts one row, together with those that come while others are being inserted: one statement and one wait for the
 * disk for all of them. Whoever comes alone waits for nobody. A row whose key is taken is refused, the others are not.
 */
export function insertTogether(
  place: Place,
  row: StoredRow,
  how: { by: string; creator: string | null; bytes: number },
): Promise<Told> {
  const columns = place.type.columns.filter(column => row.has(column))
  const all = writers.get(place.type) ?? new Map<string, InsertGroups>()
  writers.set(place.type, all)
  const name = `${place.dataZone.zoneId} ${columns.map(column => column.at).join(',')}`
  let groups = all.get(name)
  if (!groups) {
    groups = new InsertGroups()
    all.set(name, groups)
  }
  const own = groups
  return new Promise((resolve, reject) => own.add({ place, row, ...how, resolve, reject }))
}

/** Of a key that is counted nobody knows which row got which. */
export const goesTogether = ({ auto }: TypeModel): boolean => auto === null

class InsertGroups {
  #waiting: Waiting[] = []
  #running = 0
  #begunAt = 0

  add(one: Waiting): void {
    this.#waiting.push(one)
    this.#next()
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#hasTurn()) {
      const group = this.#take()
      this.#running++
      this.#begunAt = performance.now()
      void insertGroup(group).then(() => {
        this.#running--
        this.#next()
      })
    }
  }

  #hasTurn(): boolean {
    if (this.#running === 0) return true
    const isWorthIt = this.#waiting.length >= leastAlongside || performance.now() - this.#begunAt > slowMs
    return isWorthIt && this.#running < groupsAtOnce
  }

  /** The first ones, each key once. */
  #take(): Map<string, Waiting> {
    const group = new Map<string, Waiting>()
    const rest: Waiting[] = []
    for (const one of this.#waiting) {
      const key = keyOf(one.place.type, one.row)
      if (group.size < mostOfGroup && !group.has(key)) group.set(key, one)
      else rest.push(one)
    }
    this.#waiting = rest
    return group
  }
}

/** As the statement names rows: the texts of their keys. */
const keyOf = (type: TypeModel, row: StoredRow): string =>
  JSON.stringify(type.keys.map(key => String(toParameter(key, row.get(key) ?? null))))

/** Never rejects: each of the group is told what became of it. */
async function insertGroup(group: ReadonlyMap<string, Waiting>): Promise<void> {
  // In the order of their keys, so that two groups that meet in the bin do not wait for each other.
  const keys = [...group.keys()].sort()
  const all = keys.map(key => group.get(key) as Waiting)
  const place = all[0]?.place
  if (!place) return
  try {
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
    for (const [at, one] of all.entries()) {
      const own = found.get(keys[at] as string)
      if (own) one.resolve(own)
      else one.reject(takenBy(place.type, one.row))
    }
  } catch (error) {
    // PostgreSQL refused them for the sake of one; where it did not answer nobody knows what it did.
    const isRefused = (error as { severity?: string } | null)?.severity === 'ERROR'
    if (all.length === 1 || !isRefused) for (const one of all) one.reject(error)
    else for (const [at, one] of all.entries()) await insertGroup(new Map([[keys[at] as string, one]]))
  }
}

function takenBy(type: TypeModel, row: StoredRow): unknown {
  try {
    return refuse(dataErrors.keyTaken, { key: keyText(type, (column: Column) => row.get(column)) })
  } catch (error) {
    return error
  }
}
