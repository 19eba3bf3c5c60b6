import { type FieldType, isLong, isNumeric } from '../../schema/rules.ts'

/** What a person typed as a value of a field; what is no value is sent as it is, so that the server says why. */
export function readValue(type: FieldType, text: string): unknown {
  if (isLong(type)) return text.trim()
  if (isNumeric(type)) return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'Boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'Date') return /^\d+$/.test(text) ? Number(text) : dateOf(text)
  return text
}

/** `2026-11-22 12:00` and what the grid shows, both as UTC. */
function dateOf(text: string): unknown {
  const read = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(?:[ .](\d{3}))?)?$/.exec(text.trim())
  if (!read) return text
  const at = Date.parse(`${read[1]}T${read[2] ?? '00:00'}${read[3] ?? ':00'}.${read[4] ?? '000'}Z`)
  return Number.isNaN(at) ? text : at
}
