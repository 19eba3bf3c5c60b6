import { existsSync } from 'node:fs'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { pageHeadersOf } from './security-headers.ts'

const languages = ['', 'en/', 'ru/', 'zh/']
/** `hap/` and `cis/` are the console without refresh of the session (specification, section 2). */
const paths = ['/', '/hap/', '/cis/'].flatMap(base => languages.map(language => base + language))

const folder = new URL('../../../dist/console/', import.meta.url).pathname

/** The built console: hashed files for ever, the page itself never; the paths are one page, which reads its language and mode from its address. */
export async function serveConsole(app: FastifyInstance, config: Config): Promise<void> {
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
  const pageHeaders = pageHeadersOf(config)
  for (const path of paths) {
    app.get(path, (_request, reply) => reply.headers(pageHeaders).sendFile('index.html'))
  }
}
