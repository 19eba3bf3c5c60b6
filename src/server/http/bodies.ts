import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { CallSpec } from '../../kernel/contract.ts'
import { parseJson } from './json-body.ts'

/** Whether a call's body is left to its handler as it comes. */
export function takesStream(call: CallSpec): boolean {
  return call.kind === 'upload' || (call.kind === 'protocol' && call.body === undefined)
}

/** Whether a call's body is read as JSON whatever type it is said to be: foreign clients say what they like. */
export function takesJsonOfAnyType(call: CallSpec): boolean {
  return call.kind === 'protocol' && call.body !== undefined
}

/** Forms as standards send them; a name that comes twice is a list, for its handler to refuse. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const read: Record<string, string | string[]> = Object.create(null)
    for (const [name, value] of new URLSearchParams(body as string)) {
      const before = read[name]
      read[name] = before === undefined ? value : [before, value].flat()
    }
    done(null, read)
  })
}

/** A part of the server with its own way to read bodies. In an object, as by itself it is a thenable, and `await` would give the application instead. */
interface Scope {
  scope: FastifyInstance
}

/** A pattern, as Fastify remembers which types one is for; those for `*` it looks for anew with each request. */
const anyType = /^/

/** Where a body of whatever type is left to the handler as a stream; of uploads also as a form of streams. */
export async function openStreams(app: FastifyInstance, of: 'protocols' | 'uploads'): Promise<Scope> {
  const opened = { scope: app }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(anyType, (_request, _payload, done) => done(null))
    // A sender that is still sending would see a broken connection instead of the refusal.
    scope.addHook('onError', async ({ raw }) => {
      raw.unpipe()
      raw.resume()
    })
    if (of === 'uploads') await scope.register(multipart)
    opened.scope = scope
  })
  return opened
}

/** Where every body is JSON. */
export async function openJsonOfAnyType(app: FastifyInstance): Promise<Scope> {
  const opened = { scope: app }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(anyType, { parseAs: 'string' }, parseJson)
    opened.scope = scope
  })
  return opened
}
