import type { ErrorRow, Refusal } from './errors.ts'
import type { Static, TSchema } from './shape.ts'

export type Audience = 'cp' | 'sp' | 'anonymous' | 'manage'
/** HEAD, PATCH and OPTIONS are for calls of kind `protocol`; GET answers HEAD, too, unless there is a call for it. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'PATCH' | 'OPTIONS'

/** `current`: the team's zone or the one the path names. `home`: accounts, teams, the project index, the catalogue. */
export type ZoneRule = 'current' | 'home'

/** How many calls a minute one caller may make; numbers stand in `server/http/rates.ts`. */
export type RateClass = 'signIn' | 'clue' | 'anonymous' | 'device' | 'read' | 'write' | 'upload' | 'data'

/**
 * `json` unless said: what passes through the call besides or instead of JSON. `standard` takes a form and answers as an
 * RFC wants it, without our envelope. `protocol` speaks somebody else's protocol: the path may end in `/*`, a body named
 * by the contract is read as JSON whatever its type, any other is left to the handler as a stream, and the handler
 * answers status, headers and body.
 */
export type CallKind = 'json' | 'standard' | 'stream' | 'upload' | 'download' | 'socket' | 'protocol'

/** What a protocol may need of a request to refuse it. */
export interface RefusedRequest {
  id: string
  method: string
  /** With its query. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A refusal in a protocol's own form. */
export interface ProtocolRefusal {
  status: number
  headers: Record<string, string | number>
  body: string | null
}

export interface CallSpec<Permission extends string = string> {
  method: Method
  /** Below the service's prefix; parameters as `:appId`. */
  path: string
  who: Audience
  /** The permission the caller must hold in the team; `none` must be written out. */
  may: Permission | 'none'
  /** One line for people: API reference, OpenAPI. */
  summary: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  answer?: TSchema
  kind?: CallKind
  zone?: ZoneRule
  /** `false` for a call that talks to an engine, a mail server or another host; it opens `ctx.transact` itself. */
  transaction?: false
  /** `none`: a signed-in person without a team may call it. */
  team?: 'none'
  /** Works between soft and hard expiry, as refresh and logout must. */
  afterSoftExpiry?: true
  /**
   * Programs with a token may call it though it names no permission: it does nothing by itself but make other calls, and each
   * of them asks for its own.
   */
  openToPrograms?: true
  /** Goes on while agreements wait to be signed: signing itself, sign-out, what people may do anyway. */
  beforeSigning?: true
  rate?: RateClass
  /**
   * Made thousands of times a second: it goes around the framework. For protocols whose handlers read the body themselves, for
   * anybody, with refusals of their own and an address that ends in parameters.
   */
  direct?: true
  /** Bytes; 1 MiB unless said. Ignored for uploads, which count for themselves. */
  bodyLimit?: number
}

export interface Contract<
  Calls extends Record<string, CallSpec> = Record<string, CallSpec>,
  Errors extends Record<string, ErrorRow> = Record<string, ErrorRow>,
> {
  /** `group/service`, the folder below `src/services`. */
  name: string
  prefix: string
  zone: ZoneRule
  permissions: readonly string[]
  errors: Errors
  calls: Calls
  /** Puts each refusal of these calls, validation and rate too, into the protocol's own form. */
  refusal?: RefusalForm
}

export type RefusalForm = (refusal: Refusal, request: RefusedRequest) => ProtocolRefusal

/** States the promise of a service. Permissions are `<service>.<verb>`; each call may name only these or `none`. */
export function service<
  const Permissions extends readonly string[],
  const Errors extends Record<string, ErrorRow>,
  const Calls extends Record<string, CallSpec<Permissions[number]>>,
>(contract: {
  name: string
  prefix: string
  zone: ZoneRule
  permissions: Permissions
  errors: Errors
  calls: Calls
  refusal?: RefusalForm
}): Contract<Calls, Errors> {
  return contract
}

type Part<S, K extends string> = S extends { [key in K]: infer T extends TSchema } ? Static<T> : Record<string, never>

/** What a caller sends. */
export interface Input<S extends CallSpec> {
  params: Part<S, 'params'>
  query: Part<S, 'query'>
  body: Part<S, 'body'>
}

/** What a call answers besides `ret`. */
export type Answer<S extends CallSpec> = Part<S, 'answer'>

/** The zone a call works in. */
export function zoneRuleOf(contract: Contract, call: CallSpec): ZoneRule {
  return call.zone ?? contract.zone
}

/** The full path of a call, parameters still named. */
export function pathOf(contract: Contract, call: CallSpec): string {
  return contract.prefix + call.path
}

/** In front of every answer; `code` 0 is success. */
export interface Ret {
  code: number
  msg: string
}
