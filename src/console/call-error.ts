import type { FieldError } from '../kernel/errors.ts'

/** Why a call has no good answer, in the generic words of HTTP clients (specification, section 8); for callers to tell apart. */
export type ClientCode =
  | 'ERR_BAD_OPTION_VALUE'
  | 'ERR_CANCELED'
  | 'ETIMEDOUT'
  | 'ERR_NETWORK'
  | 'ERR_BAD_REQUEST'
  | 'ERR_BAD_RESPONSE'

/** A call that was refused or did not reach the server. `status` 0: no answer came. */
export class CallError extends Error {
  readonly status: number
  readonly number: number
  readonly code: ClientCode
  readonly fields: readonly FieldError[]
  /** What else the refusal carried: the values its sentence names. */
  readonly detail: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  /** The service whose call it was; its translations are looked at first. */
  readonly service: string

  constructor(from: {
    status: number
    number: number
    message: string
    service: string
    /** Left out, as the status says. */
    code?: ClientCode
    fields?: readonly FieldError[]
    detail?: Readonly<Record<string, unknown>>
    requestId?: string | undefined
  }) {
    super(from.message)
    this.name = 'CallError'
    this.status = from.status
    this.number = from.number
    this.code = from.code ?? (from.status >= 500 ? 'ERR_BAD_RESPONSE' : 'ERR_BAD_REQUEST')
    this.fields = from.fields ?? []
    this.detail = from.detail ?? {}
    this.requestId = from.requestId
    this.service = from.service
  }
}

const silences: Readonly<Record<string, { code: ClientCode; message: string }>> = {
  AbortError: { code: 'ERR_CANCELED', message: 'The call was given up.' },
  TimeoutError: { code: 'ETIMEDOUT', message: 'The server took too long to answer.' },
}

/** The error of a call that has no answer; `cause` is what the browser threw. */
export function silence(service: string, cause: unknown): CallError {
  const name = cause instanceof Error ? cause.name : ''
  const { code, message } = silences[name] ?? { code: 'ERR_NETWORK', message: 'The server did not answer.' }
  return new CallError({ status: 0, number: 0, code, message, service })
}

/** The error of a call that cannot be made. */
export function badOption(service: string, message: string): CallError {
  return new CallError({ status: 0, number: 0, code: 'ERR_BAD_OPTION_VALUE', message, service })
}

/** Reads problem+json, or whatever a proxy sent instead of it. */
export async function errorOf(response: Response, service: string): Promise<CallError> {
  const text = await response.text().catch(() => '')
  let body: Record<string, unknown> = {}
  try {
    body = JSON.parse(text) as Record<string, unknown>
  } catch {
    body = {}
  }
  const { ret, type: _type, title, status: _status, instance: _instance, requestId, fields, ...detail } = body
  const { code, msg } = (ret ?? {}) as { code?: number; msg?: string }
  return new CallError({
    status: response.status,
    number: code ?? 0,
    message: msg ?? (typeof title === 'string' ? title : response.statusText || `HTTP ${response.status}`),
    service,
    fields: Array.isArray(fields) ? (fields as FieldError[]) : [],
    detail,
    requestId: typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined),
  })
}

export function isCallError(error: unknown): error is CallError {
  return error instanceof CallError
}
