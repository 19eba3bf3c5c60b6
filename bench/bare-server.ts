import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import type { Recorded, Value } from './recorded.ts'

/**
 * The limit of the stack: Fastify with schemas and pg, doing the same SQL as ours in the same round trips, with a token
 * looked up in a Map, and nothing else: it answers what ours answered once, through the same schema.
 */
export interface BareCall extends Recorded {
  method: 'GET' | 'POST'
  path: string
  body?: object
  response: object
}

const calls = JSON.parse(process.env['CALLS'] ?? '[]') as BareCall[]
const urls = ['HOME', 'CN'].map(name => process.env[`DATABASE_URL_${name}`] ?? '')
const pools = new Map(
  urls.map(url => [/[^/?]+(?=\?|$)/.exec(url)?.[0] ?? '', new pg.Pool({ connectionString: url, max: 16 })]),
)
const tokens = new Map([['token', process.env['TEAM_ID'] ?? '']])
const app = Fastify()
let last = BigInt(Date.now()) << 22n

const makers = { id: () => String(++last), instant: () => String(Date.now()), uuid: randomUUID }
function valueFor(value: Value): unknown {
  if ('same' in value) return value.same
  if ('each' in value) return value.each.map(valueFor)
  const made = makers[value.fresh]()
  return value.fresh === 'uuid' ? value.like.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, made) : made
}

for (const { method, path, body, response, statements, answer } of calls) {
  const pool = pools.get(statements[0]?.database ?? '') as pg.Pool
  app.route({
    method,
    url: path,
    schema: { ...(body ? { body } : {}), response: { 200: response } },
    handler: async (request, reply) => {
      if (!tokens.has(String(request.headers['x-token']))) return reply.code(401 as never).send()
      const client = await pool.connect()
      try {
        for (const { query, values } of statements)
          await client.query({ ...query, values: values.map(valueFor) } as pg.QueryConfig)
        return answer
      } finally {
        client.release()
      }
    },
  })
}

process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
