import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, CallSpec, Contract, Input } from '../kernel/contract.ts'
import type { TSchema } from '../kernel/shape.ts'
import type { Context } from './context.ts'

/** What an upload handler, or one of a protocol, gets besides its input: the raw body, never buffered. */
export interface UploadInput {
  stream: Readable
  request: FastifyRequest
}

/** What a download handler answers. `headers` go out as they are; a null body is a head such as 304. */
export interface Download {
  status?: number
  headers: Record<string, string | number>
  body: Readable | Buffer | string | null
}

/** An answer whose JSON text was put together beforehand, of the contract's shape: for what devices ask all the time. */
export class PreparedAnswer {
  readonly json: string
  /** The whole answer, once it has been sent: one that is kept is put together once. */
  text: string | undefined

  constructor(json: string) {
    this.json = json
  }

  /** What is kept of it for a repeated request. */
  toJSON(): unknown {
    return JSON.parse(this.json)
  }
}

/** What session calls need besides JSON: cookies to read and to set. */
export interface WireAccess {
  request: FastifyRequest
  reply: FastifyReply
}

/** An open WebSocket. Frames are text; pings, limits and the end of the process are the frame's own work. */
export interface SocketLine {
  request: FastifyRequest
  readonly isOpen: boolean
  /** False where the line is closed, or where too much already waits for a slow reader: what was not sent is lost. */
  send(frame: string): boolean
  /** Frames are given one after another; a refusal that is thrown closes the line. */
  onMessage(listener: (text: string) => Promise<void> | void): void
  onClose(listener: () => void): void
  close(code: number, reason: string): void
}

type HandlerOf<S extends CallSpec> = S extends { kind: 'download' | 'standard' } | { kind: 'protocol'; body: TSchema }
  ? (ctx: Context, input: Input<S>, wire: WireAccess) => Promise<Download>
  : S extends { kind: 'protocol' }
    ? (ctx: Context, input: Input<S> & UploadInput, wire: WireAccess) => Promise<Download>
    : S extends { kind: 'socket' }
      ? (ctx: Context, input: Input<S> & { line: SocketLine }) => Promise<void>
      : S extends { kind: 'upload' }
        ? (ctx: Context, input: Input<S> & UploadInput, wire: WireAccess) => Promise<Answer<S>>
        : (ctx: Context, input: Input<S>, wire: WireAccess) => Promise<Answer<S> | PreparedAnswer>

export type Handlers<C extends Contract> = { [Name in keyof C['calls']]: HandlerOf<C['calls'][Name]> }

/** A contract with its handlers, the types forgotten: what the mount works with. */
export interface Implementation {
  contract: Contract
  handlers: Record<string, (ctx: Context, input: never, wire: WireAccess) => Promise<unknown>>
}

/** Joins a contract and its handlers. A call without a handler, or a wrong answer, does not compile. */
export function implement<C extends Contract>(contract: C, handlers: Handlers<C>): Implementation {
  return { contract, handlers: handlers as unknown as Implementation['handlers'] }
}
