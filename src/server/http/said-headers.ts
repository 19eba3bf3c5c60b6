import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface Said {
  /** As they were sent, names and values in turns. */
  list: readonly string[]
  headers: Readonly<IncomingHttpHeaders>
}

const lastOf = new WeakMap<Socket, Said>()

/**
 * The headers of a request, not to be changed. Most clients send the same ones with each request of a connection: those are
 * the same object then, so that what was once made of it can be kept with it.
 */
export function headersOf(raw: IncomingMessage): Readonly<IncomingHttpHeaders> {
  const { socket, rawHeaders } = raw
  const last = lastOf.get(socket)
  if (last && isSame(last.list, rawHeaders)) return last.headers
  const headers = Object.freeze(raw.headers)
  lastOf.set(socket, { list: rawHeaders, headers })
  return headers
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((text, at) => text === other[at])
