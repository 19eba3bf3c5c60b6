import type { FastifyInstance } from 'fastify'
import type { Contract } from '../../kernel/contract.ts'
import { openApiOf } from '../openapi.ts'

/** `/openapi.json` for all, `/openapi/<group>/<service>.json` for one. Printed once, at the first question. */
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
  for (const name of new Set(contracts.map(contract => contract.name))) {
    const chosen = contracts.filter(contract => contract.name === name)
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply.type('application/json').send(print(name, chosen)),
    )
  }
}
