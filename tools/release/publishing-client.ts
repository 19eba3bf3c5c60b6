import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { Stop } from './outcome.ts'
import type { Wish } from './wish.ts'

export interface Told {
  ret?: { code: number; msg: string }
  [field: string]: unknown
}

/** The publishing API of one server, as any release tool speaks it. */
export class PublishingClient {
  readonly #wish: Wish
  #token = ''

  constructor(wish: Wish) {
    this.#wish = wish
  }

  async signIn(): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret } = this.#wish
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret })
    const headers = { 'content-type': 'application/json' }
    const reply = await this.#reach('/api/oauth2/v1/token', { method: 'POST', headers, body })
    this.#token = String((await read(reply))['access_token'])
  }

  /** A call; a token that ran out while waiting is got anew. */
  async ask(method: string, place: string, body?: unknown): Promise<Told> {
    const send = () =>
      this.#reach(`/api/publish/v2${place}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          client_id: this.#wish.clientId,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const reply = await send()
    if (reply.status !== 401) return read(reply)
    await this.signIn()
    return read(await send())
  }

  /** The same, where the store's refusal ends the command. */
  async must(method: string, place: string, body?: unknown): Promise<Told> {
    const told = await this.ask(method, place, body)
    if (told.ret?.code === 0) return told
    throw refusalOf(told)
  }

  /** Sends a file to the address it was given; the host is ours, for a server may know itself by another name. */
  async upload(uploadUrl: string, authCode: string, told: (share: number) => void): Promise<string> {
    const { file } = this.#wish
    const blob = await openAsBlob(file)
    const form = new FormData()
    form.append('authCode', authCode)
    form.append('fileCount', '1')
    form.append('parseType', '1')
    form.append('file', blob, path.basename(file))
    const encoded = new Response(form)
    let sent = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, to) => {
        sent += chunk.length
        told(Math.min(1, sent / blob.size))
        to.enqueue(chunk)
      },
    })
    const { pathname } = new URL(uploadUrl)
    const reply = await this.#reach(pathname, {
      method: 'POST',
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      body: encoded.body?.pipeThrough(counter) as never,
      duplex: 'half',
    } as RequestInit)
    const { result } = (await read(reply)) as {
      result?: { UploadFileRsp: { fileInfoList: { fileDestUlr: string }[] } }
    }
    const [one] = result?.UploadFileRsp.fileInfoList ?? []
    if (!one) throw new Stop('unreachable', 'the server kept no file')
    return one.fileDestUlr
  }

  async #reach(place: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(this.#wish.url + place, request)
    } catch (error) {
      const cause = (error as Error).cause as { code?: string; message?: string } | undefined
      throw new Stop('unreachable', `${this.#wish.url} does not answer: ${cause?.code ?? (error as Error).message}`)
    }
  }
}

async function read(reply: Response): Promise<Told> {
  const text = await reply.text()
  const told = jsonOf(text)
  if (reply.ok && told) return told
  const why = told?.ret?.msg ?? reply.statusText
  if (reply.status === 404) throw new Stop('usage', why)
  if (reply.status === 413 || reply.status === 422) throw new Stop('notReady', why)
  throw new Stop('unreachable', `the server answered ${reply.status}: ${why}`)
}

function jsonOf(text: string): Told | null {
  try {
    return JSON.parse(text) as Told
  } catch {
    return null
  }
}

/** The store's refusal with everything that stands in the way. */
export function refusalOf(told: Told): Stop {
  const readiness = (told['readiness'] ?? []) as { severity: string; message: string }[]
  const list = readiness.filter(one => one.severity === 'BLOCK').map(one => one.message)
  return new Stop('notReady', told.ret?.msg ?? 'the store refused it', list)
}
