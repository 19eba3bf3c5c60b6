import { createHash } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Person, Stage } from '../../../testkit/stage.ts'

export const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export function credentials(person: Person): Record<string, string> {
  return { cookie: person.cookie, 'x-hd-csrf': person.csrfToken, teamid: person.teamId }
}

export interface Wire {
  status: number
  headers: http.IncomingHttpHeaders
  bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
  json: any
}

interface Sending {
  method?: string
  headers?: Record<string, string | number>
  /** In chunks, so that the server sees a stream. */
  body?: Buffer | readonly Buffer[]
  /** Cuts the connection after so many bytes. */
  cutAfter?: number
}

/** Sends over a real connection to where the stage listens, to the last byte. A cut one answers status 0. */
export async function send(address: string, pathOrUrl: string, sending: Sending = {}): Promise<Wire> {
  const { method = 'GET', headers = {}, body = [], cutAfter } = sending
  const url = new URL(pathOrUrl, address)
  const request = http.request(new URL(url.pathname + url.search, address), { method, headers })
  const answer = answerOf(request)
  const sent = writeAll(request, Buffer.isBuffer(body) ? split(body) : body, cutAfter)
  if (cutAfter === undefined) return (await Promise.all([answer, sent]))[0]
  await Promise.allSettled([answer, sent])
  return { status: 0, headers: {}, bytes: Buffer.alloc(0), json: undefined }
}

function answerOf(request: http.ClientRequest): Promise<Wire> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', async answer => {
      const bytes = Buffer.concat(await answer.toArray())
      const isJson = String(answer.headers['content-type']).includes('json')
      const json = isJson ? JSON.parse(bytes.toString()) : undefined
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, json })
    })
  })
}

async function writeAll(request: http.ClientRequest, chunks: Iterable<Buffer>, cutAfter?: number): Promise<void> {
  let sent = 0
  for (const chunk of chunks) {
    if (cutAfter !== undefined && sent >= cutAfter) {
      await pause(30)
      request.destroy()
      return
    }
    sent += chunk.length
    await new Promise<void>((written, failed) => request.write(chunk, error => (error ? failed(error) : written())))
  }
  request.end()
  if (!request.writableFinished) await once(request, 'finish')
}

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** A form as a browser writes it; `head` replaces the header of the file. */
export function form(
  fields: readonly (readonly [string, string])[],
  file: { name: string; bytes: Buffer; head?: string } | null,
): { headers: Record<string, string>; body: Buffer } {
  const boundary = '----loggia9f3b'
  const parts: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  if (file) {
    const head = file.head ?? `form-data; name="file"; filename="${file.name}"`
    parts.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${head}\r\nContent-Type: text/html\r\n\r\n`),
      file.bytes,
      Buffer.from('\r\n'),
    )
  }
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

/** A PNG head that says its size; readers of heads need no more. */
export function pngHead(width: number, height: number, isAnimated = false): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name, 'latin1'), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(isAnimated ? [chunk('acTL', Buffer.alloc(8))] : []),
    chunk('IDAT', Buffer.alloc(8)),
  ])
}

/** How many contents lie in the data folder of a zone. */
export async function contentsOf(stage: Stage, zone: 'CN' | 'DE', bytes: Buffer): Promise<boolean> {
  return (await stage.booted.server.bytes(zone).stat(sha256Of(bytes))) !== null
}
