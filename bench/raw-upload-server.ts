import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an upload must at least do: write, hash, sync, rename. */
const folder = `${process.env['DATA']}/raw`
mkdirSync(folder, { recursive: true })

const server = http.createServer({ highWaterMark: 65_536 }, async (request, reply) => {
  const temporary = `${folder}/${randomUUID()}`
  const hash = createHash('sha256')
  const file = await open(temporary, 'w')
  let size = 0
  for await (const chunk of request) {
    hash.update(chunk)
    size += chunk.length
    await file.write(chunk)
  }
  await file.sync()
  await file.close()
  await rename(temporary, `${folder}/${hash.digest('hex')}`)
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ size }))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
