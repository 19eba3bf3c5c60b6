import { implement } from '../../../server/implement.ts'
import { gateway } from './contract.ts'
import { invokeNamed } from './invocation.ts'
import { namedApis } from './registry.ts'
import { limits, zonePolicyOf } from './rules.ts'

export default implement(gateway, {
  invoke: (ctx, { body }, wire) => invokeNamed(ctx, body, wire),

  listNamedApis: async (ctx, { query }) => {
    const search = query.search?.toLowerCase() ?? ''
    const all = namedApis
      .flatMap(api => {
        const found = ctx.server.inside.find(api.call)
        return found ? [{ api, found }] : []
      })
      .map(({ api, found: { contract, call } }) => ({
        apiName: api.apiName,
        summary: call.summary,
        audience: call.who,
        may: call.may,
        zonePolicy: zonePolicyOf(api.apiName),
        service: contract.name,
        method: call.method,
        path: contract.prefix + call.path,
        callsPerMinute: api.callsPerMinute ?? limits.callsPerMinute,
        timeoutMs: api.timeoutMs ?? limits.timeoutMs,
        input: schemaOf([call.params, call.query, call.body]),
        example: api.example,
      }))
      .filter(one => `${one.apiName} ${one.summary}`.toLowerCase().includes(search))
      .filter(one => query.zonePolicy === undefined || one.zonePolicy === query.zonePolicy)
      .sort((one, other) => (one.apiName < other.apiName ? -1 : 1))
    const after = query.cursor ?? ''
    const rest = all.filter(one => one.apiName > after)
    const list = rest.slice(0, query.pageSize ?? 20)
    return { total: all.length, list, nextCursor: rest.length > list.length ? (list.at(-1)?.apiName ?? null) : null }
  },
})

/** One schema of all that a call takes: what `params` may hold. */
function schemaOf(parts: readonly (object | undefined)[]): object {
  const schemas = parts.filter(one => one !== undefined) as { properties?: object; required?: string[] }[]
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.assign({}, ...schemas.map(one => one.properties ?? {})),
    required: schemas.flatMap(one => one.required ?? []),
  }
}
