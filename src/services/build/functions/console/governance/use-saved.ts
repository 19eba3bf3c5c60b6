import type { CallError } from '../../../../../console/call-error.ts'
import type { Call } from '../../../../../console/client.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { CallSpec } from '../../../../../kernel/contract.ts'

interface Saving<Spec> {
  save: (spec: Spec, isEnabled: boolean) => void
  toDefault: (() => void) | undefined
  isRunning: boolean
  error: CallError | null
}

interface Found {
  qualifier: string
  revision: number
}

/** Keeps what is set for the first time or changes it, and takes it away: the same for each kind. */
export function useSaved<Spec, C extends CallSpec, U extends CallSpec, D extends CallSpec>(
  calls: { create: Call<C>; update: Call<U>; remove: Call<D> },
  functionId: string,
  { qualifier, revision }: Found,
): Saving<Spec> {
  const create = useAction(calls.create, { errors: 'form' })
  const update = useAction(calls.update, { errors: 'form' })
  const remove = useAction(calls.remove)
  const params = { functionId }
  return {
    save: (spec, isEnabled) => {
      const body = { qualifier, isEnabled, spec }
      if (revision === 0) void create.run({ params, body } as never)
      else void update.run({ params, body: { ...body, revision } } as never)
    },
    toDefault: revision === 0 ? undefined : () => void remove.run({ params, query: { qualifier } } as never),
    isRunning: create.isRunning || update.isRunning,
    error: create.error ?? update.error,
  }
}
