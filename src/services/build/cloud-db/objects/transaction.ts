import { refuse } from '../../../../kernel/errors.ts'
import { typeOf } from '../catalogue.ts'
import type { Place } from '../model.ts'
import { keyOf, limits } from '../schema/rules.ts'
import type { Runner } from '../statements.ts'
import type { Actor } from './access.ts'
import { dataErrors } from './rules.ts'
import { keyText, readRow } from './values.ts'
import { heldByKey, readWish, type Wish, writeIn } from './write.ts'

/** A transaction as it is sent: rows that were read, with their versions, and what to write if they still have them. */
export interface SentTransaction {
  needVerifyObjectsList: readonly { objectTypeName: string; objects: readonly unknown[] }[]
  transactionList: readonly { operationType: string; objectTypeName: string; objects: readonly unknown[] }[]
}

export interface ReadyTransaction {
  verify: { place: Place; rows: readonly unknown[] }[]
  writes: { place: Place; wish: Wish }[]
}

type Anywhere = Omit<Place, 'type'>

/** Reads the whole transaction before a row is held. */
export function readTransaction(where: Anywhere, sent: SentTransaction): ReadyTransaction {
  const placeOf = (name: string): Place => ({ ...where, type: typeOf(where.database, name) })
  const verify = sent.needVerifyObjectsList.map(one => ({ place: placeOf(one.objectTypeName), rows: one.objects }))
  const writes = sent.transactionList
    .filter(one => one.objects.length > 0)
    .map(one => {
      const place = placeOf(one.objectTypeName)
      const operation = operationOf(one.operationType)
      return { place, wish: readWish(place, operation, one.objects) }
    })
  const rows = [...verify.map(one => one.rows.length), ...writes.map(one => one.wish.rows.length)].reduce(
    (a, b) => a + b,
    0,
  )
  if (rows > 2 * limits.writeObjects) refuse(dataErrors.tooManyRows, { limit: limits.writeObjects })
  const bytes = writes.reduce((total, one) => total + one.wish.bytes, 0)
  if (bytes > limits.writeBytes) refuse(dataErrors.writeTooLarge, { limitBytes: limits.writeBytes })
  // All hold rows in one order, so that no two wait for each other.
  verify.sort((a, b) => (a.place.type.key < b.place.type.key ? -1 : 1))
  return { verify, writes }
}

function operationOf(sent: string): 'UPSERT' | 'INSERT' | 'DELETE' {
  const operation = keyOf(sent).toUpperCase()
  if (operation === 'UPSERT' || operation === 'INSERT' || operation === 'DELETE') return operation
  return refuse(dataErrors.badParameter, { reason: 'operationType is Upsert, Insert or Delete' })
}

/** Verifies and writes in the caller's transaction; refuses with 2003049 when a row is not as it was read. */
export async function transactIn(run: Runner, actor: Actor, { verify, writes }: ReadyTransaction): Promise<string[]> {
  for (const { place, rows } of verify) {
    const wanted = rows.map(row => readRow(place.type, row, { keysOnly: true }))
    const held = await heldByKey(run, place, wanted)
    for (const [at, row] of wanted.entries()) {
      const version = String((rows[at] as { naturalbase_version?: unknown }).naturalbase_version ?? '')
      const key = keyText(place.type, column => row.get(column))
      if (held.get(key)?.version !== version) refuse(dataErrors.rowsChanged)
    }
  }
  const seqs: string[] = []
  for (const { place, wish } of writes) seqs.push(...(await writeIn(run, place, actor, wish)).seqs)
  return seqs
}
