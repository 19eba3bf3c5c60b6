import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headers } from '../../kernel/wire.ts'
import type { Config } from '../config.ts'
import type { Download } from '../implement.ts'
import type { Measure } from './measure.ts'
import { answerHeadersOf } from './security-headers.ts'

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** What a handler is given of the wire; whether it asked for the reply says if that may carry headers or cookies of its own. */
export class Wire {
  readonly request: FastifyRequest
  readonly #reply: FastifyReply
  isReplyTouched = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request
    this.#reply = reply
  }

  get reply(): FastifyReply {
    this.isReplyTouched = true
    return this.#reply
  }
}

/** A text of ASCII alone is written as it lies in memory. */
const encodingOf = (text: string, sizeBytes: number) => (sizeBytes === text.length ? 'latin1' : 'utf8')

/**
 * Sends the JSON text of an answer. An untouched reply is written to the socket in one piece with its headers as a flat
 * list, as the way through the reply costs a device's call a tenth of its time.
 */
export function jsonSender(config: Config, measure: Measure): (wire: Wire, json: string) => FastifyReply {
  const fixed = Object.entries({ ...answerHeadersOf(config), ...jsonHeaders }).flat()
  return (wire, json) => {
    const isTouched = wire.isReplyTouched
    const { reply } = wire
    if (isTouched) return reply.headers(jsonHeaders).send(json)
    const sizeBytes = Buffer.byteLength(json)
    reply.hijack()
    reply.raw.writeHead(200, [...fixed, headers.requestId, wire.request.id, 'content-length', String(sizeBytes)])
    reply.raw.end(json, encodingOf(json, sizeBytes))
    measure(wire.request, 200)
    return reply
  }
}

/**
 * Sends what a handler made itself. What is in memory goes as JSON answers do, in one piece with its head; streams, and
 * answers with headers of the reply's own, go through the reply.
 */
export function downloadSender(config: Config, measure: Measure): (wire: Wire, download: Download) => FastifyReply {
  const write = headWriter(config)
  return (wire, { status = 200, headers: own, body }) => {
    const { request } = wire
    const isTouched = wire.isReplyTouched
    const { reply } = wire
    const isReady = typeof body === 'string' || Buffer.isBuffer(body)
    if (isTouched || !isReady || request.method === 'HEAD' || own['content-type'] === undefined) {
      reply.code(status)
      for (const [name, value] of Object.entries(own)) reply.header(name, value)
      return reply.send(body)
    }
    reply.hijack()
    write(reply.raw, request.id, { status, headers: own, body })
    measure(request, status)
    return reply
  }
}

interface Written extends Pick<Download, 'headers'> {
  status: number
  body?: Buffer | string | null
}

/**
 * Writes the head of an answer, and what of its body is in memory in one piece with it; where there is no `body`, that is
 * for the caller to write.
 */
export function headWriter(config: Config): (raw: ServerResponse, id: string, answer: Written) => void {
  const fixed = Object.entries(answerHeadersOf(config))
  return (raw, id, { status, headers: own, body }) => {
    const head: string[] = []
    for (const name in own) head.push(name, String(own[name]))
    for (const [name, value] of fixed) if (own[name] === undefined) head.push(name, value)
    // What a handler made may have an id of its own, which its records are found by.
    if (own[headers.requestId] === undefined) head.push(headers.requestId, id)
    if (body === undefined) {
      raw.writeHead(status, head)
      return
    }
    const sizeBytes = body === null ? 0 : Buffer.byteLength(body)
    const isBodiless = status === 204 || status === 304
    if (own['content-length'] === undefined && !isBodiless) head.push('content-length', String(sizeBytes))
    raw.writeHead(status, head)
    if (typeof body === 'string') raw.end(body, encodingOf(body, sizeBytes))
    else raw.end(body)
  }
}
