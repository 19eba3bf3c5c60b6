import type { FastifyRequest } from 'fastify'
import { sessionCookie } from '../../kernel/wire.ts'
import type { Config } from '../config.ts'

/** `__Host-agc_sid` behind https, where browsers keep that promise; plain on a developer's machine. */
export function sessionCookieName(config: Config): string {
  return config.publicUrl.startsWith('https:') ? `__Host-${sessionCookie}` : sessionCookie
}

/** The token of a program: what stands behind `Bearer`; undefined without that header, empty where it says nothing else. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  return header !== undefined && /^bearer( |$)/i.test(header) ? header.slice(7).trim() : undefined
}

/**
 * The session token of a request. Only this cookie is looked for: parsing all of them, hints included, costs more than
 * the rest of a check. A second cookie of the same name is ignored, as browsers send the more specific one first.
 */
export function credentialOf(request: FastifyRequest, config: Config): string | undefined {
  const header = request.headers.cookie
  if (header === undefined) return undefined
  const name = `${sessionCookieName(config)}=`
  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, at + 1)) {
    const isStart = at === 0 || header[at - 1] === ' ' || header[at - 1] === ';'
    if (!isStart) continue
    const end = header.indexOf(';', at)
    return header.slice(at + name.length, end === -1 ? undefined : end)
  }
  return undefined
}
