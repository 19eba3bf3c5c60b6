import { existsSync } from 'node:fs'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { pageHeaders } from './security-headers.ts'

const folder = new URL('../../../dist/console/', import.meta.url).pathname

/** The built console: hashed files for ever, the page itself never; `/`, `/en/` and `/ru/` are one page. */
export async function serveConsole(app: FastifyInstance): Promise<void> {
  if (!existsSync(folder)) return
  await app.register(staticFiles, {
    root: folder,
    index: false,
    preCompressed: true,
    cacheControl: false,
    wildcard: false,
    setHeaders: (reply, file) => {
      const isHashed = file.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const path of ['/', '/en/', '/ru/', '/zh/']) {
    app.get(path, (_request, reply) => reply.headers(pageHeaders).sendFile('index.html'))
  }
}
