import type { CallSpec } from '../../../kernel/contract.ts'
import type { InsideInput } from '../../../server/inside.ts'
import { type NamedApi, namedApis } from './registry.ts'

const byName = new Map(namedApis.map(one => [one.apiName, one]))

/** The named API, or undefined when there is none of that name. */
export function namedApiOf(apiName: string): NamedApi | undefined {
  return byName.get(apiName)
}

/** Where each of the params of a named API stands in its call: in the path, the query or the body. */
export function inputOfParams(call: CallSpec, params: Readonly<Record<string, unknown>>): InsideInput {
  const names = (schema: object | undefined) =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const inPath = new Set(names(call.params))
  const inQuery = new Set(names(call.query))
  const takesBody = call.body !== undefined
  const input = { params: {}, query: {}, body: {} } satisfies InsideInput
  for (const [name, value] of Object.entries(params)) {
    const part = inPath.has(name) ? 'params' : inQuery.has(name) || !takesBody ? 'query' : 'body'
    Object.assign(input[part], { [name]: value })
  }
  return input
}
