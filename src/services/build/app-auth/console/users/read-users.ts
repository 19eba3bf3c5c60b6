import type { ImportedUserRow } from '../../imports/contract.ts'

const textFields = ['importUid', 'email', 'phone', 'displayName', 'photoUrl', 'passwordHash', 'salt'] as const
const flagFields = ['emailVerified', 'disabled'] as const
const instantFields = ['createTime', 'lastSignInTime'] as const

/** Rows of a file: JSON (a list, or `users`) or CSV with the names of fields in its first row. Throws what is wrong in a word. */
export async function readUsers(file: File): Promise<ImportedUserRow[]> {
  const text = (await file.text()).replace(/^\ufeff/, '')
  const isJson = /^\s*[[{]/.test(text)
  const rows = isJson ? rowsOfJson(text) : await rowsOfCsv(text)
  if (rows.length === 0) throw new Error('empty')
  return rows
}

function rowsOfJson(text: string): ImportedUserRow[] {
  const read: unknown = JSON.parse(text)
  const list = Array.isArray(read) ? read : (read as { users?: unknown }).users
  if (!Array.isArray(list)) throw new Error('unreadable')
  return list as ImportedUserRow[]
}

async function rowsOfCsv(text: string): Promise<ImportedUserRow[]> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const records = parse(text, { columns: true, skip_empty_lines: true, trim: true }) as Record<string, string>[]
  return records.map(record => ({
    ...pick(record, textFields, value => value),
    ...pick(record, flagFields, value => /^(true|1|yes)$/i.test(value)),
    ...pick(record, instantFields, value => (/^\d+$/.test(value) ? Number(value) : Date.parse(value))),
  })) as ImportedUserRow[]
}

function pick<T>(record: Record<string, string>, names: readonly string[], read: (value: string) => T) {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = record[name]
      return value === undefined || value === '' ? [] : [[name, read(value)]]
    }),
  )
}
