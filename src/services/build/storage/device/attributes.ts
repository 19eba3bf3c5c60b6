import type { IncomingHttpHeaders } from 'node:http'
import { badField } from '../../../../server/http/problem.ts'
import type { Attributes } from '../objects/rows.ts'
import { isHeaderText, metadataProblem } from '../rules.ts'

const named = [
  ['cacheControl', 'cache-control'],
  ['contentDisposition', 'content-disposition'],
  ['contentEncoding', 'content-encoding'],
  ['contentLanguage', 'content-language'],
] as const

/** What a client says of a file in headers of a prefix: `x-agc-` and `x-agc-meta-`. Only what it named. */
export function attributesIn(headers: IncomingHttpHeaders, prefix: string, metaPrefix: string): Partial<Attributes> {
  const given: Partial<Attributes> = {}
  const contentType = textOf(headers, `${prefix}content-type`, 200)
  if (contentType !== undefined) given.contentType = contentType
  for (const [field, header] of named) {
    const value = textOf(headers, prefix + header, 1000)
    if (value !== undefined) given[field] = value === '' ? null : value
  }
  const metadata: Record<string, string> = Object.create(null)
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(metaPrefix)) continue
    metadata[name.slice(metaPrefix.length)] = String(headers[name])
  }
  if (Object.keys(metadata).length > 0) given.metadata = checkedMetadata(metadata)
  return given
}

/** The attributes of a new file. */
export function whole(given: Partial<Attributes>, contentType: string): Attributes {
  return {
    contentType: given.contentType || contentType,
    cacheControl: given.cacheControl ?? null,
    contentDisposition: given.contentDisposition ?? null,
    contentEncoding: given.contentEncoding ?? null,
    contentLanguage: given.contentLanguage ?? null,
    metadata: given.metadata ?? {},
  }
}

export function checkedMetadata(metadata: Record<string, string>): Record<string, string> {
  const problem = metadataProblem(metadata)
  if (problem !== null) throw badField('/metadata', 'metadata', problem, 'header')
  return { ...metadata }
}

function textOf(headers: IncomingHttpHeaders, name: string, max: number): string | undefined {
  const value = headers[name]
  if (value === undefined) return undefined
  const text = String(value)
  if (text.length > max || !isHeaderText(text))
    throw badField(`/${name}`, 'text', `has at most ${max} printable characters`, 'header')
  return text
}
