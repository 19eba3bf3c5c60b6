import type { FieldError } from '../kernel/errors.ts'

/** A call that was refused or did not reach the server. `status` 0: no answer came. */
export class CallError extends Error {
  readonly status: number
  readonly number: number
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
    fields?: readonly FieldError[]
    detail?: Readonly<Record<string, unknown>>
    requestId?: string | undefined
  }) {
    super(from.message)
    this.name = 'CallError'
    this.status = from.status
    this.number = from.number
    this.fields = from.fields ?? []
    this.detail = from.detail ?? {}
    this.requestId = from.requestId
    this.service = from.service
  }
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
