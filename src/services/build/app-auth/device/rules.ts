import type { RefusedRequest } from '../../../../kernel/contract.ts'
import type { Refusal } from '../../../../kernel/errors.ts'

/** Apps in browsers come from other origins, with tokens in headers and never with cookies. */
export const openToPages = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': '*, authorization',
  'access-control-max-age': '7200',
}
export const json = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** Public SDKs read `ret.code` of a 200 only; a token that is over must be a 401, and what is no word of ours keeps its status. */
export function refusal({ number, status, message, detail }: Refusal, { id }: RefusedRequest) {
  const isOfFamily = number >= 203_817_000 && number < 203_819_000
  const { retryAfterSeconds } = detail
  const body = {
    ret: { code: number, msg: message },
    requestId: id,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: retryAfterSeconds as number }),
  }
  return { status: isOfFamily ? 200 : status, headers: { ...json, ...openToPages }, body: JSON.stringify(body) }
}
