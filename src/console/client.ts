import type { Answer, CallSpec, Contract, Ret } from '../kernel/contract.ts'
import type { ErrorRow } from '../kernel/errors.ts'
import type { Static, TSchema } from '../kernel/shape.ts'
import { CallError } from './call-error.ts'
import { addressOf, type CallOptions, type LooseInput, send } from './send.ts'

type Given<S, K extends 'params' | 'query' | 'body'> = S extends { [key in K]: infer T extends TSchema }
  ? Record<string, never> extends Static<T>
    ? { [key in K]?: Static<T> }
    : { [key in K]: Static<T> }
  : unknown

/** What a page gives: only the parts that the contract names, and only those that have something required. */
export type CallInput<S extends CallSpec> = Given<S, 'params'> &
  Given<S, 'query'> &
  (S extends { body: TSchema } ? Given<S, 'body'> : S extends { kind: 'upload' } ? { body?: Blob | FormData } : unknown)

/** A call of a contract as a function, with what the frame reads about it. */
export interface Call<S extends CallSpec = CallSpec> {
  (input: CallInput<S>, options?: CallOptions): Promise<Answer<S>>
  /** The bytes or stream of a download, with the session's headers. */
  raw: (input: CallInput<S>, options?: CallOptions) => Promise<Response>
  /** The address, for a link that needs no headers. */
  href: (input: CallInput<S>, options?: CallOptions) => string
  spec: S
  service: string
  /** `service call`: the start of every query key. */
  callName: string
}

export type Client<Calls extends Record<string, CallSpec>> = { readonly [K in keyof Calls]: Call<Calls[K]> }

async function readAnswer(response: Response, service: string, name: string, keepsRet = false): Promise<unknown> {
  if (response.status === 204) return {}
  const { ret, ...answer } = await (response.json() as Promise<{ ret?: Ret }>).catch(() => {
    const message = 'The answer is no JSON.'
    throw new CallError({ status: response.status, number: 0, code: 'ERR_BAD_RESPONSE', message, service })
  })
  // Specification 7: a non-zero code on HTTP 200 is logged.
  if (ret && ret.code !== 0) console.warn(`${service} ${name}: partial result ${ret.code}: ${ret.msg}`)
  return keepsRet ? { ...answer, ret } : answer
}

function toCall<S extends CallSpec>(contract: Contract, name: string, spec: S): Call<S> {
  const callName = `${contract.name} ${name}`
  const raw = (input: LooseInput, options?: CallOptions) => send(contract, spec, input ?? {}, options)
  const run = async (input: LooseInput, options?: CallOptions) =>
    readAnswer(await raw(input, options), contract.name, name, options?.returnNewRsp)
  const href = (input: LooseInput, options?: CallOptions) => addressOf(contract, spec, input ?? {}, options?.zone)
  return Object.assign(run, { raw, href, spec, service: contract.name, callName }) as unknown as Call<S>
}

/**
 * One typed function per call of a contract: `api.createApp({ params, query, body }, { signal })` gives the answer
 * without `ret`, or throws `CallError`. One client per contract, never one over all.
 */
export function client<Calls extends Record<string, CallSpec>, Errors extends Record<string, ErrorRow>>(
  contract: Contract<Calls, Errors>,
): Client<Calls> {
  const calls: Record<string, unknown> = {}
  for (const [name, spec] of Object.entries(contract.calls)) {
    calls[name] = toCall(contract as unknown as Contract, name, spec)
  }
  return calls as Client<Calls>
}
