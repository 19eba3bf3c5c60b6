import type { Context } from '../../../server/context.ts'
import { implement, type WireAccess } from '../../../server/implement.ts'
import { orchestration } from './contract.ts'
import { invoke } from './invocation.ts'

interface InPayload {
  body: { definitionId: string; processId: string }
}

function invokeInPayload(ctx: Context, { body }: InPayload, wire: WireAccess) {
  const { definitionId, processId, ...input } = body
  return invoke(ctx, { definitionId, processId }, input, wire)
}

export default implement(orchestration, {
  invoke: invokeInPayload,
  invokeAtRoot: invokeInPayload,
  invokeByPath: (ctx, { params, body }, wire) =>
    invoke(ctx, { definitionId: params.definition, processId: params.process }, body, wire),
})
