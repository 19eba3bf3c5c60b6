import Fastify from 'fastify'
import pg from 'pg'

/** The limit of the stack for rows: Fastify and pg with the same statements as ours, planned, and nothing else. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL_CN'], max: 16 })
const table = process.env['TABLE'] ?? ''
const columns = 'id, title, price, category, owner, naturalbase_version, naturalbase_creator'
const app = Fastify()
let made = 0

const list = (text: string, values: unknown[]) =>
  pool.query({ name: text.slice(0, 60), text, values }).then(found => ({ data: found.rows }))
app.post('/get', request =>
  list(`SELECT ${columns} FROM ${table} WHERE NOT naturalbase_deleted AND id = $1 LIMIT 1001`, [
    (request.body as { id: string }).id,
  ]),
)
app.post('/query', () =>
  list(
    `SELECT ${columns}, 1 FROM ${table} WHERE NOT naturalbase_deleted AND category = $1 AND (owner = $2 OR price >= $3) IS TRUE ORDER BY price DESC, id DESC LIMIT 100`,
    ['c7', 'nobody', 0],
  ),
)
app.post('/create', async request => {
  const row = request.body as { title: string; price: number; category: string; owner: string }
  await pool.query({
    name: 'create',
    text: `WITH w AS (INSERT INTO ${table} (id, title, price, category, owner, naturalbase_version, naturalbase_operationtime)
      VALUES ($1, $2, $3, $4, $5, nextval('${process.env['COUNTER']}'), 0) RETURNING naturalbase_version AS version, to_jsonb(${table.split('.').at(-1)}.*) AS after)
      INSERT INTO cdb_changes (project_id, zone_id, type_key, version, after, bytes, at) SELECT 1, 1, 'item', version, after, 100, 0 FROM w`,
    values: [`bare${process.pid}-${++made}`, row.title, row.price, row.category, row.owner],
  })
  return { insertNumber: 1 }
})
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
