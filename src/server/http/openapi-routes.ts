import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../kernel/contract.ts'
import { openApiOf } from '../openapi.ts'

/** What a list of all calls needs of each, without schemas. */
function indexOf(contracts: readonly Contract[]) {
  const services = new Map<string, object[]>()
  for (const contract of contracts) {
    const calls = Object.values(contract.calls).map(call => ({
      method: call.method,
      path: (contract.prefix + call.path).replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'),
      summary: call.summary,
      permission: call.may,
      audience: call.who,
    }))
    services.set(contract.name, [...(services.get(contract.name) ?? []), ...calls])
  }
  return { services: [...services].map(([name, calls]) => ({ name, calls })) }
}

/** `/openapi.json` for all, `/openapi/<group>/<service>.json` for one, `/openapi/index.json` names the calls of each. Printed once, at the first question. */
export function serveOpenApi(app: FastifyInstance, contracts: readonly Contract[]): void {
  const printed = new Map<string, string>()
  const print = (key: string, chosen: readonly Contract[]) => {
    let text = printed.get(key)
    if (text === undefined) {
      text = JSON.stringify(openApiOf(chosen, key))
      printed.set(key, text)
    }
    return text
  }
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(print('Loggia', contracts)))
  const index = JSON.stringify(indexOf(contracts))
  app.get('/openapi/index.json', async (_request, reply) => reply.type('application/json').send(index))
  for (const name of new Set(contracts.map(contract => contract.name))) {
    const chosen = contracts.filter(contract => contract.name === name)
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply.type('application/json').send(print(name, chosen)),
    )
  }
}
