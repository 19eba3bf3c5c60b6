import Fastify from 'fastify'
import pg from 'pg'

/**
 * The limit of the stack: Fastify with schemas and pg, doing the same SQL as the notes service in the same round trips,
 * with a token looked up in a Map and nothing else.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL_CN'], max: 16 })
const tokens = new Map([['token', process.env['TEAM_ID'] ?? '']])
const app = Fastify()
const note = {
  type: 'object',
  properties: {
    noteId: { type: 'string' },
    title: { type: 'string' },
    body: { type: 'string' },
    createdAt: { type: 'integer' },
  },
}
const body = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'body'],
  properties: { title: { type: 'string', maxLength: 200, minLength: 1 }, body: { type: 'string', maxLength: 2000 } },
}
let last = BigInt(Date.now()) << 22n

async function inTeam<T>(team: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN; SET LOCAL app.team = '${team}'`)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } finally {
    client.release()
  }
}

app.post('/notes', { schema: { body, response: { 200: note } } }, async (request, reply) => {
  const team = tokens.get(String(request.headers['x-token']))
  if (team === undefined) return reply.code(401 as never).send()
  const row = { noteId: String(++last), ...(request.body as { title: string; body: string }), createdAt: Date.now() }
  await inTeam(team, client =>
    client.query(
      'insert into "notes" ("note_id", "team_id", "title", "body", "created_at", "revision") values ($1, $2, $3, $4, $5, default)',
      [row.noteId, team, row.title, row.body, row.createdAt],
    ),
  )
  return row
})

const answer = { type: 'object', properties: { list: { type: 'array', items: note } } }
app.get('/notes', { schema: { response: { 200: answer } } }, async (request, reply) => {
  const team = tokens.get(String(request.headers['x-token']))
  if (team === undefined) return reply.code(401 as never).send()
  const { rows } = await inTeam(team, client =>
    client.query(
      'select "note_id", "team_id", "title", "body", "created_at", "revision" from "notes" where "notes"."team_id" = $1 order by "notes"."note_id" desc limit $2',
      [team, 20],
    ),
  )
  return {
    list: rows.map(row => ({
      noteId: row.note_id,
      title: row.title,
      body: row.body,
      createdAt: Number(row.created_at),
    })),
  }
})

process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
