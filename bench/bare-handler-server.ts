import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A Node server that calls a handler and nothing else: no caller is asked who he is, nothing is walled off or written down. */
const module = { handler: async (_event: { body: string }): Promise<unknown> => null }
new Function('exports', process.env['BARE_HANDLER'] ?? '')(module)
const { handler } = module

const server = http.createServer(async (request, reply) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const answer = JSON.stringify(await handler({ body: Buffer.concat(parts).toString('utf8') }))
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }).end(answer)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
