import Fastify from 'fastify'
import { createLocalJWKSet, jwtVerify } from 'jose'

/** The limit of the stack: Fastify with a schema that verifies both tokens of a call with jose, and nothing else. */
const keys = createLocalJWKSet(JSON.parse(process.env['KEYS'] ?? '{"keys":[]}'))
const options = { algorithms: ['ES256'], issuer: process.env['ISSUER'] ?? '' }
const app = Fastify()
const text = { type: 'string' }
const response = {
  200: {
    type: 'object',
    properties: {
      ret: { type: 'object', properties: { code: { type: 'integer' }, msg: text } },
      projectId: text,
      uid: text,
    },
  },
}
app.get('/bench/door', { schema: { response } }, async ({ headers }) => {
  const client = await jwtVerify(String(headers.authorization).slice(7), keys, { ...options, typ: 'client+jwt' })
  const user = await jwtVerify(String(headers['access_token']), keys, { ...options, typ: 'user+jwt' })
  return { ret: { code: 0, msg: 'success' }, projectId: client.payload.aud, uid: user.payload.sub }
})
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)))
