import type autocannon from 'autocannon'
import pg from 'pg'
import { asked } from './app-rows.ts'
import { startProgram } from './measure.ts'
import type { Stand } from './stand.ts'

/** Where parse-server and express are installed; they are no part of the product nor of its tests. */
export const parseFolder: string | undefined = process.env['PARSE_SERVER']

const database = 'parse_rows'
const keys = { 'x-parse-application-id': 'bench', 'x-parse-rest-api-key': 'rest' }

/** parse-server over a database of the same PostgreSQL, with a class, its rights, an index and rows as ours has them. */
export async function openParseRows(stand: Stand, rows: number, row: object) {
  const owner = new URL(stand.databases.home?.ownerUrl.replace('@/', '@localhost/') ?? '')
  const host = owner.searchParams.get('host') ?? ''
  await run({ host, user: 'postgres', database: 'postgres' }, `CREATE DATABASE ${database}`)
  const { address, pid, end } = await startProgram('parse-server.ts', {
    NODE_ENV: 'production',
    PARSE_DATABASE: database,
    PARSE_HOST: host,
  })
  const master = { ...keys, 'x-parse-master-key': 'master' }
  const open = { requiresAuthentication: true }
  await asked(`${address}/schemas/Item`, 'POST', master, {
    className: 'Item',
    fields: {
      title: { type: 'String' },
      price: { type: 'Number' },
      category: { type: 'String' },
      owner: { type: 'String' },
    },
    classLevelPermissions: {
      find: open,
      get: open,
      create: open,
      update: open,
      delete: open,
      count: open,
      addField: {},
    },
  })
  await run(
    { host, user: 'postgres', database },
    `INSERT INTO "Item" ("objectId", "createdAt", "updatedAt", title, price, category, owner)
      SELECT 'r' || g, now(), now(), 'item ' || g, g % 1000, 'c' || g % 50, 'u' || g % 7 FROM generate_series(1, ${rows}) g;
      CREATE INDEX ON "Item" (category, price DESC); ANALYZE "Item"`,
  )
  const { sessionToken } = await asked<{ sessionToken: string }>(`${address}/users`, 'POST', keys, {
    username: 'bench',
    password: 'correct horse 9',
  })
  const headers = { ...keys, 'x-parse-session-token': sessionToken, 'content-type': 'application/json' }
  const query = new URLSearchParams({ where: JSON.stringify({ category: 'c7' }), order: '-price', limit: '100' })
  const requests = {
    get: { url: `${address}/classes/Item/r77`, headers },
    query: { url: `${address}/classes/Item?${query}`, headers },
    create: { url: `${address}/classes/Item`, method: 'POST', headers, body: JSON.stringify(row) },
  } satisfies Record<string, autocannon.Options>
  return { pid, end, requests }
}

async function run(config: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(config)
  await client.connect()
  await client.query(text).finally(() => client.end())
}
