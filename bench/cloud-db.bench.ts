import { randomUUID } from 'node:crypto'
import { openAppRows } from './app-rows.ts'
import type { BareCall } from './bare-server.ts'
import { type Figure, inTurns, startProgram } from './measure.ts'
import { openParseRows, parseFolder } from './parse-rows.ts'
import { record } from './recorded.ts'
import { withStand } from './stand.ts'

/**
 * A user of an app gets a row, asks for a hundred of 100,000 and makes one, with rights and rules on: beside Fastify and pg
 * that ask PostgreSQL the very same, and beside parse-server over the same PostgreSQL where it is installed.
 */
const rows = 100_000
const rounds = 3
const seconds = 3
const wanted = { bare: 0.6, parse: 3 }

const Anything = { type: 'object', additionalProperties: true }
const Rows = {
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...Object.fromEntries(
            ['id', 'title', 'category', 'owner', 'naturalbase_version'].map(name => [name, { type: 'string' }]),
          ),
          price: { type: 'integer' },
        },
      },
    },
  },
}

function tell(call: string, figures: { ours: Figure; peer: Figure }, least: number): void {
  const { ours, peer } = figures
  const one = ({ name, cpuUs, callsPerSecond, refused }: Figure) =>
    `${name} ${cpuUs.toFixed(0)} µs CPU a call, ${callsPerSecond.toFixed(0)}/s${refused ? `, ${refused} REFUSED` : ''}`
  const ratio = peer.cpuUs / ours.cpuUs
  process.stdout.write(
    `${call}: ${ratio.toFixed(2)} times ${peer.name} by CPU time (${ratio >= least ? 'within' : 'BELOW'} ${least}), ` +
      `${(ours.callsPerSecond / peer.callsPerSecond).toFixed(2)} by calls a second; ${one(ours)}; ${one(peer)}\n`,
  )
}

await withStand(async stand => {
  const { plane, prefix, headers, place } = await openAppRows(stand, rows)
  const equal = (fieldName: string, value: unknown) => ({ conditionType: 'EqualTo', fieldName, value })
  const row = { title: 'new', price: 5, category: 'c7', owner: 'u1' }
  const list = [
    equal('category', 'c7'),
    { conditionType: 'OrderBy', fieldName: 'price', value: 'desc' },
    { conditionType: 'Limit', value: { number: 100 } },
  ]
  const create = (id: string) => ({ ...place, operationType: 1, objects: [{ id, ...row }] })
  const cases = [
    {
      name: 'get by key',
      parse: 'get' as const,
      path: '/v4/objects/queries',
      body: () => ({ ...place, queryConditions: [equal('id', 'r77')] }),
      response: Rows,
    },
    {
      name: 'query of 100',
      parse: 'query' as const,
      path: '/v4/objects/queries',
      body: () => ({ ...place, queryConditions: list }),
      response: Rows,
    },
    // Each row has a key of its own: autocannon puts one in.
    {
      name: 'create',
      parse: 'create' as const,
      path: '/v3/syncObjects',
      body: (id = '[<id>]') => create(id),
      response: Anything,
    },
  ]
  const recorded = await record(
    stand.env,
    stand.databases,
    cases.map(one => ({
      method: 'POST' as const,
      url: `${prefix}${one.path}`,
      headers,
      payload: () => one.body(randomUUID()),
    })),
  )
  const bareCalls = recorded.map(
    (one, at): BareCall => ({
      ...one,
      method: 'POST',
      path: `/${at}`,
      body: Anything,
      response: cases[at]?.response ?? Anything,
    }),
  )
  const bare = await startProgram('bare-server.ts', { ...stand.env, CALLS: JSON.stringify(bareCalls) })
  const parse = parseFolder === undefined ? null : await openParseRows(stand, rows, row)
  const json = { 'content-type': 'application/json', 'x-token': 'token' }
  try {
    for (const [at, one] of cases.entries()) {
      const request = {
        method: 'POST' as const,
        body: JSON.stringify(one.body()),
        idReplacement: one.parse === 'create',
      }
      const ours = { name: 'Loggia', pid: stand.pid, request: { ...request, url: `${plane}${one.path}`, headers } }
      const fair = { name: 'bare', pid: bare.pid, request: { ...request, url: `${bare.address}/${at}`, headers: json } }
      const statements = recorded[at]?.statements.length
      tell(`${one.name} (${statements} statements)`, await inTurns(ours, fair, rounds, seconds), wanted.bare)
      if (!parse) continue
      const peer = { name: 'parse-server', pid: parse.pid, request: parse.requests[one.parse] }
      tell(one.name, await inTurns(ours, peer, rounds, seconds), wanted.parse)
    }
  } finally {
    await bare.end()
    await parse?.end()
  }
  if (!parse) {
    process.stdout.write(
      'not beside parse-server: npm install --prefix DIR parse-server@9.10.0 express@4, then PARSE_SERVER=DIR\n',
    )
  }
})
