import type { Answer, Contract, Input } from '../kernel/contract.ts'
import { headers } from '../kernel/wire.ts'
import type { Context } from './context.ts'
import type { WireAccess } from './implement.ts'
import type { ProvenKey } from './inside.ts'

/**
 * Makes a call of another service for whoever asked: its rights, rules, audit and commit are those of the call from
 * outside, and so is what a repeated request with the same Idempotency-Key gets.
 */
export type Ask = <C extends Contract, N extends keyof C['calls'] & string>(
  contract: C,
  name: N,
  input: Partial<Input<C['calls'][N]>>,
) => Promise<Answer<C['calls'][N]>>

/**
 * How a call that is a view of others makes them; its own `transaction` is `false`, for each of them commits by itself.
 *
 * @param key of a request that was signed, instead of session or token
 */
export function asker(ctx: Context, { request }: Pick<WireAccess, 'request'>, key?: ProvenKey): Ask {
  const sent = request.headers[headers.idempotencyKey] ?? request.headers[headers.idempotencyKeyAlias]
  const options = { key, idempotencyKey: typeof sent === 'string' ? sent : undefined }
  return async (contract, name, input) => {
    const found = ctx.server.inside.find({ service: contract.name, name })
    if (!found) throw new Error(`${contract.name} ${name} is not mounted`)
    // As it would have come over the wire: what is undefined was not sent.
    return JSON.parse(await found.run(request, JSON.parse(JSON.stringify(input)), options))
  }
}

/** A handler that works by such calls. */
export function asking<I, A>(work: (ask: Ask, input: I, ctx: Context) => Promise<A>) {
  return (ctx: Context, input: I, wire: WireAccess): Promise<A> => work(asker(ctx, wire), input, ctx)
}
