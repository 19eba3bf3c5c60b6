import { Agent } from 'undici'
import { limits } from '../rules.ts'
import type { CallOrder, Fault, InstanceSpec, Result } from './port.ts'
import { faultOf } from './process-instance.ts'

/** The contract of images in the field: a server on this port that answers `POST /init` once and `POST /invoke`. */
export const port = 8000

/** What a server in a container is asked, and what its answers mean. */
export class Exchange {
  readonly #agent: Agent
  readonly #spec: InstanceSpec
  readonly #origin: string

  /** @param at its address, and the socket that leads there where no network does */
  constructor(spec: InstanceSpec, at: { origin: string; socketPath?: string }) {
    this.#spec = spec
    this.#origin = at.origin
    const connect = at.socketPath === undefined ? {} : { socketPath: at.socketPath }
    this.#agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
  }

  /** Null when it is ready, else what it answered instead. Throws where nothing was answered. */
  async initialise(signal: AbortSignal): Promise<string | null> {
    const { status, body } = await this.#post('/init', this.#about(), Buffer.from('{}'), signal)
    if (status >= 200 && status <= 299) return null
    return `POST /init answered ${status}: ${body.toString('utf8').slice(0, 500)}`
  }

  /** Throws where the connection broke or `signal` was given. */
  async invoke(order: CallOrder, signal: AbortSignal): Promise<{ result: Result } | { fault: Fault }> {
    const { status, headers, body } = await this.#post(
      '/invoke',
      this.#headersOf(order),
      Buffer.from(order.event),
      signal,
    )
    const type = headers['content-type'] ?? 'text/plain'
    const isJson = /^application\/([\w.+-]+\+)?json\b/i.test(type)
    if (status === 200 && isJson) return jsonOf(body.toString('utf8'))
    const isText = isJson || /^text\/|xml|javascript|x-www-form-urlencoded/.test(type)
    const content = body.toString(isText ? 'utf8' : 'base64')
    return { result: { kind: 'http', status, headers, body: content, isBase64: !isText } }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #post(place: string, headers: Record<string, string>, body: Buffer, signal: AbortSignal) {
    const answer = await this.#agent.request({
      ...{ origin: this.#origin, path: place, method: 'POST', body, signal },
      headers: { 'content-type': 'application/json', ...headers },
    })
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of answer.body) {
      bytes += part.length
      parts.push(part)
      // One more than is passed on says that it was too much; the rest is nobody's.
      if (bytes > limits.answerBytes) break
    }
    const named = Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
    return { status: answer.statusCode, headers: Object.fromEntries(named), body: Buffer.concat(parts) }
  }

  /** In the field's words. */
  #about(): Record<string, string> {
    const { functionName, version, memoryMb } = this.#spec
    return {
      'x-cff-func-name': functionName,
      'x-cff-func-version': version,
      'x-cff-memory': String(memoryMb),
    }
  }

  #headersOf({ id, timeoutMs, caller, delivery, mark }: CallOrder): Record<string, string> {
    return {
      ...this.#about(),
      'x-cff-request-id': id,
      'x-cff-timeout': String(Math.ceil(timeoutMs / 1000)),
      'x-loggia-remaining-ms': String(Math.round(timeoutMs)),
      ...(caller && { 'x-loggia-caller': encodeURIComponent(JSON.stringify(caller)) }),
      ...(delivery && { 'x-loggia-delivery': JSON.stringify(delivery) }),
      ...(mark !== undefined && { 'x-loggia-hops': mark }),
    }
  }
}

function jsonOf(text: string): { result: Result } | { fault: Fault } {
  try {
    // One that was cut is refused for its size.
    if (Buffer.byteLength(text) <= limits.answerBytes) JSON.parse(text)
    return { result: { kind: 'json', text } }
  } catch (error) {
    return { fault: { ...faultOf('uncaught', (error as Error).message), kind: 'notJson' } }
  }
}
