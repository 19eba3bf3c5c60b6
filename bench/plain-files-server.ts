import { randomUUID } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** Files of a folder over HTTP and nothing else: a GET streams one, a PUT writes, syncs and renames one into its place. */
const folder = path.join(process.env['DATA'] ?? '', 'plain')
mkdirSync(folder, { recursive: true })

const server = http.createServer(async (request, reply) => {
  const file = path.join(folder, path.basename(request.url ?? ''))
  if (request.method === 'PUT') {
    const beside = `${file}-${randomUUID()}`
    const handle = await open(beside, 'wx')
    try {
      for await (const chunk of request) await handle.write(chunk)
      await handle.sync()
      await handle.close()
      await rename(beside, file)
    } catch {
      // The measurement ends in the middle of requests.
      await handle.close()
      return
    }
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    return
  }
  const { size, mtime } = await stat(file)
  reply.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': size,
    'last-modified': mtime.toUTCString(),
    etag: `"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
  })
  createReadStream(file).pipe(reply)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
