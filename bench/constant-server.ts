import Fastify from 'fastify'

/** A bare Fastify that reads a JSON body and answers the same text to everybody. */
const app = Fastify()
const answer = process.env['ANSWER'] ?? '{}'
app.post('/update', async (_request, reply) => reply.type('application/json; charset=utf-8').send(answer))
process.stdout.write(`ready ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
