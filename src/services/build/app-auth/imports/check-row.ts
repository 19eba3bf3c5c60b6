import { isHashReadable } from '../foreign-hashes.ts'
import { claimsFault, mailOf, phoneOf, providerNamed } from '../rules.ts'
import type { ForeignHash, ImportHash } from '../tables.ts'
import type { ImportedUserRow } from './contract.ts'

export interface RowFault {
  code: string
  msg: string
}

/** A row as it is made a user, addresses as they are kept and compared. */
export type CheckedRow = Omit<ImportedUserRow, 'email' | 'phone'> & {
  email: string | null
  phone: string | null
  foreignHash: ForeignHash | null
}

const sentences = {
  EMAIL: 'the e-mail address is not one',
  PHONE: 'the phone number is not one; send it as +cc-number',
  NOBODY: 'it has neither an e-mail address nor a phone number, a provider or an importUid',
  CLAIMS: 'the custom claims are too large or use a reserved name',
  HASH: 'the password hash is not one of the algorithm of the import',
  NO_HASH: 'it has a password hash, but the import names no algorithm',
  PHOTO: 'the picture is not an https address',
  PROVIDER: 'it names a provider that is not known',
  TIME: 'it was made later than now',
  TWICE: 'the same address, number, id or provider stands in an earlier row',
  EXISTS: 'there is a user with this address, number, id or provider already',
} as const

export const fault = (code: keyof typeof sentences): RowFault => ({ code, msg: sentences[code] })

/** What is wrong with a row by itself, or the row as it is kept. */
export function checkRow(row: ImportedUserRow, hash: ImportHash | null, now: number): CheckedRow | RowFault {
  const { claims, passwordHash, salt = '', photoUrl = '', providers = [], importUid, createTime = 0 } = row
  const email = row.email === undefined ? null : mailOf(row.email)
  const phone = row.phone === undefined ? null : phoneOf(row.phone)
  if (row.email !== undefined && email === null) return fault('EMAIL')
  if (row.phone !== undefined && phone === null) return fault('PHONE')
  if (email === null && phone === null && providers.length === 0 && importUid === undefined) return fault('NOBODY')
  if (claims && claimsFault(claims) !== null) return fault('CLAIMS')
  if (photoUrl !== '' && !(photoUrl.startsWith('https://') && URL.canParse(photoUrl))) return fault('PHOTO')
  if (providers.some(one => providerNamed(one.provider) === null)) return fault('PROVIDER')
  if (createTime > now) return fault('TIME')
  if (passwordHash === undefined) return { ...row, email, phone, foreignHash: null }
  if (hash === null) return fault('NO_HASH')
  const { algorithm, ...params } = hash
  const foreignHash: ForeignHash = { algorithm, hash: passwordHash, salt, params: known(params) }
  return isHashReadable(foreignHash) ? { ...row, email, phone, foreignHash } : fault('HASH')
}

function known(params: Omit<ImportHash, 'algorithm'>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number
  >
}

export const isFault = (checked: CheckedRow | RowFault): checked is RowFault => 'msg' in checked

/** What may be only one user’s: two rows that share one are the same person. */
export function keysOf(row: CheckedRow): string[] {
  return [
    ...(row.email === null ? [] : [`e ${row.email}`]),
    ...(row.phone === null ? [] : [`p ${row.phone}`]),
    ...(row.importUid === undefined ? [] : [`i ${row.importUid}`]),
    ...(row.providers ?? []).map(one => `o ${one.provider} ${one.issuer} ${one.openId}`),
  ]
}
