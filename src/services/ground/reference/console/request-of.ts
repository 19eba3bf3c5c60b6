import type { Operation } from './open-api.ts'

export interface Filled {
  method: string
  path: string
  /** By `in name`: `path appId`. */
  values: Readonly<Record<string, string>>
  /** JSON text; null where the call takes none. */
  body: string | null
}

/** The address with what was filled in; an empty query value is left out. */
export function addressOf(operation: Operation, { path, values }: Filled): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[`path ${name}`]
    return value ? encodeURIComponent(value) : whole
  })
  const query = new URLSearchParams()
  for (const { name, in: place } of operation.parameters) {
    const value = values[`${place} ${name}`]
    if (place === 'query' && value) query.append(name, value)
  }
  const text = query.toString()
  return text ? `${filled}?${text}` : filled
}

/** Names of what is required and still empty. */
export function missingIn(operation: Operation, { values }: Filled): string[] {
  return operation.parameters
    .filter(one => one.in !== 'header' && one.required && !values[`${one.in} ${one.name}`])
    .map(one => one.name)
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The same for a shell. The session stands in variables: it is nobody's to paste. */
export function curlOf(operation: Operation, filled: Filled, origin: string): string {
  const isOpen = operation['x-audience'] === 'anonymous'
  const lines = [`curl -X ${filled.method} ${quoted(origin + addressOf(operation, filled))}`]
  if (!isOpen) lines.push(`-b "agc_sid=$LOGGIA_SESSION"`)
  if (!isOpen && filled.method !== 'GET') lines.push(`-H "x-hd-csrf: $LOGGIA_CSRF"`)
  if (operation.parameters.some(one => one.in === 'header' && one.name === 'teamId'))
    lines.push(`-H "teamid: $LOGGIA_TEAM"`)
  if (filled.body !== null) lines.push(`-H 'content-type: application/json'`, `-d ${quoted(filled.body)}`)
  return lines.join(' \\\n  ')
}
