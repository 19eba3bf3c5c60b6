import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ProtocolRefusal, RefusalForm } from '../../kernel/contract.ts'
import { commonErrors, type ErrorRow, type FieldError, Refusal } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'

/** Turns whatever was thrown into problem+json. Unknown errors are logged whole and told as one sentence. */
export function answerProblem(
  error: FastifyError | Refusal | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = told(error, request)
  const { retryAfterSeconds, ...detail } = refusal.detail
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (refusal.status === 401) {
    reply.header(headers.authReason, refusal.message)
    reply.raw.statusMessage = refusal.message.replace(/[^\x20-\x7e]/g, '')
    if (request.headers.authorization !== undefined) reply.header('www-authenticate', 'Bearer error="invalid_token"')
  }
  reply
    .code(refusal.status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send({
      ...detail,
      ret: { code: refusal.number, msg: refusal.message },
      type: `/problems/${refusal.number}`,
      title: refusal.message,
      status: refusal.status,
      instance: request.url.split('?')[0],
      requestId: request.id,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
}

/** Turns whatever was thrown into a protocol's own form. */
export function answerRefusal(form: RefusalForm, error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers: given, body } = inForm(form, error, request)
  reply
    .code(status)
    .headers(given)
    .serializer((text: string | null) => text as string)
    .send(body)
}

/** What a protocol says of whatever was thrown; what nobody foresaw is logged. */
export function inForm(form: RefusalForm, error: Error, request: FastifyRequest): ProtocolRefusal {
  const refusal = told(error, request)
  const { id, method, headers: sent } = request
  const { retryAfterSeconds } = refusal.detail
  const answer = form(refusal, { id, method, url: request.originalUrl, headers: sent })
  if (retryAfterSeconds === undefined) return answer
  return { ...answer, headers: { 'retry-after': String(retryAfterSeconds), ...answer.headers } }
}

function told(error: FastifyError | Refusal | Error, request: FastifyRequest): Refusal {
  const refusal = toRefusal(error, request)
  if (refusal.status >= 500 && !refusal.isRecorded)
    request.log.error({ err: error, requestId: request.id }, 'a call failed')
  return refusal
}

/** The refusal that tells of an error. */
export function toRefusal(error: FastifyError | Refusal | Error, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  const database = databaseRefusal(error)
  if (database) return database
  const { code = '', statusCode = 500 } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal(commonErrors.tooLarge, { limitBytes: request.routeOptions.bodyLimit })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal(commonErrors.wrongType, { expected: 'content-type application/json' })
  }
  if (statusCode >= 400 && statusCode < 500)
    return badInput([{ in: 'body', pointer: '', rule: 'json', message: error.message }])
  return new Refusal(commonErrors.internal)
}

/** 400 with a pointer for each field that is wrong. */
export function badInput(fields: FieldError[]): Refusal {
  return new Refusal(commonErrors.badInput, { fields })
}

/** The refusal of one field that only a handler can judge. */
export function badField(pointer: string, rule: string, message: string, part: FieldError['in'] = 'body'): Refusal {
  return badInput([{ in: part, pointer, rule, message }])
}

const lostConnection = /^(57P0[123]|08\w{3}|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/

/** A transaction that lost to others, again and again: nothing was written, and soon it may win. */
const lostToOthers = /^(40001|40P01)$/

/** PostgreSQL keeps no NUL in text or JSON. */
const unkeptText = /^22(021|P05)$/

function databaseRefusal(error: Error): Refusal | null {
  const cause = causeOf(error)
  if (unkeptText.test(cause.code ?? '')) {
    return badInput([
      { in: 'body', pointer: '', rule: 'text', message: 'has a character that cannot be kept, such as NUL' },
    ])
  }
  // A visitor's call that would write, though it is one that reads.
  if (cause.code === '25006') return new Refusal(commonErrors.demoReadOnly)
  const isLost =
    lostConnection.test(cause.code ?? '') ||
    lostToOthers.test(cause.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client was closed|not queryable/.test(cause.message)
  return isLost ? new Refusal(commonErrors.unavailable as ErrorRow, { retryAfterSeconds: 1 }) : null
}

/** The database's own error below Drizzle's. */
export function causeOf(error: Error): Error & { code?: string; constraint?: string } {
  let at = error as Error & { code?: string; constraint?: string }
  while (at.cause instanceof Error) at = at.cause as typeof at
  return at
}

/** Whether an error is a broken unique rule, of the named constraint where one is given. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error)) return false
  const cause = causeOf(error)
  return cause.code === '23505' && (constraint === undefined || cause.constraint === constraint)
}
