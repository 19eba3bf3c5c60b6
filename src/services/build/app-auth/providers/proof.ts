import type { ErrorRow } from '../../../../kernel/errors.ts'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { readJson } from '../../../../server/http/json-body.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import { errors } from '../contract.ts'

/** Who somebody is at a provider; only issuer and subject say so, the rest is for people to read. */
export interface ProvenIdentity {
  issuer: string
  openId: string
  displayName: string
  photoUrl: string
  email: string | null
}

const timeoutMs = 10_000
const limitBytes = 1_048_576

export function refuseProof(reason: string): never {
  return refuse(errors.providerRefused as ErrorRow, { reason })
}

/** Text for people out of what a provider says: bounded, without control characters, and never an object. */
export function textOf(value: unknown, most = 200): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).replace(/\p{C}/gu, '').slice(0, most)
    : ''
}

/** JSON from a provider, through the one guard for addresses that people gave. */
export async function askProvider(
  ctx: Context,
  address: string,
  options: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<Record<string, unknown>> {
  try {
    const { status, body } = await ctx.server.outbound.fetch(address, { ...options, limitBytes, timeoutMs })
    const text = Buffer.concat(await body.toArray()).toString()
    if (status !== 200) refuseProof(`the provider answered ${status}`)
    const read: unknown = readJson(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>
  } catch (error) {
    if (error instanceof OutsideError) refuseProof('the provider does not answer')
    if (!(error instanceof SyntaxError)) throw error
  }
  return refuseProof('the provider does not answer in JSON')
}

/** Addresses of settings, `https` or named by the operator. */
export function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
