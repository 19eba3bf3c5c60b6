import { type Finding, finding } from '../apk/findings.ts'
import type { ZipArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

const LIMIT_BYTES = 2 << 20
const DEPTH_LIMIT = 64

/** The object in a JSON file of the archive; null and a finding where the file is missing (994) or no object (996). */
export async function readJson(archive: ZipArchive, file: string, findings: Finding[]): Promise<JsonObject | null> {
  const entry = archive.byName.get(file)
  if (!entry) {
    findings.push(finding(994, { file }))
    return null
  }
  try {
    return parseObject((await archive.readEntry(entry, LIMIT_BYTES)).toString('utf8'))
  } catch (error) {
    if (!(error instanceof ZipRefusal) && !(error instanceof SyntaxError)) throw error
    const reason =
      error instanceof ZipRefusal ? `it expands to more than ${LIMIT_BYTES} bytes or is corrupt` : error.message
    findings.push(finding(996, { file, reason }))
    return null
  }
}

/** Parses JSON that must be one object, nested no deeper than anybody writes by hand. Throws SyntaxError. */
export function parseObject(text: string): JsonObject {
  checkDepth(text)
  const value = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Json
  if (!isObject(value)) throw new SyntaxError('an object is expected')
  return value
}

/** Brackets inside texts count as well: who nests that deep inside texts is refused with the others. */
function checkDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    if (depth > DEPTH_LIMIT) throw new SyntaxError('it is nested too deep')
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const objectAt = (value: JsonObject, key: string): JsonObject => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return isObject(found) ? found : {}
}

export const textAt = (value: JsonObject, key: string): string | null => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof found === 'string' ? found : null
}

export const numberAt = (value: JsonObject, key: string): number | null => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

export const listAt = (value: JsonObject, key: string): Json[] => {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  return Array.isArray(found) ? found : []
}

export const textsAt = (value: JsonObject, key: string): string[] =>
  listAt(value, key).filter(one => typeof one === 'string')

export const objectsAt = (value: JsonObject, key: string): JsonObject[] => listAt(value, key).filter(isObject)

/** A whole number above 0 as a decimal string, also from a text of digits; null for anything else. */
export function versionCodeAt(value: JsonObject, key: string): string | null {
  const found = Object.hasOwn(value, key) ? value[key] : undefined
  if (typeof found === 'number' && Number.isSafeInteger(found) && found > 0) return String(found)
  return typeof found === 'string' && /^[1-9][0-9]{0,17}$/.test(found) ? found : null
}
