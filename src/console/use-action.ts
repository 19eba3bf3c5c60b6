import { useMutation } from '@tanstack/react-query'
import type { Answer, CallSpec } from '../kernel/contract.ts'
import type { CallError } from './call-error.ts'
import type { Call, CallInput } from './client.ts'
import { demoRefusal, isDemoRefusal } from './demo.ts'
import { errorText } from './error-text.ts'
import { notify } from './notify.ts'
import { riskNumber } from './risk.ts'
import type { CallOptions } from './send.ts'
import { queryClient } from './use-call.ts'

export interface ActionOptions<S extends CallSpec> {
  /** Calls whose answers are stale after this; left out, everything of the same service. */
  invalidates?: readonly { callName: string; service: string }[]
  onDone?: (answer: Answer<S>, input: CallInput<S>) => void
  /** `form`: the caller shows the error beside its fields. Left out, a notification says it. */
  errors?: 'notify' | 'form'
}

export interface Action<S extends CallSpec> {
  /** Resolves with the answer, or with undefined after a refusal, which is then in `error`. */
  run: (input: CallInput<S>, options?: CallOptions) => Promise<Answer<S> | undefined>
  isRunning: boolean
  error: CallError | null
  reset: () => void
}

/** `crypto.randomUUID` is missing on plain http, where a first look at Loggia happens. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

async function forget(stale: readonly { callName: string }[] | undefined, service: string): Promise<void> {
  if (!stale) return queryClient.invalidateQueries({ queryKey: [service] })
  const names = new Set(stale.map(one => one.callName))
  return queryClient.invalidateQueries({ predicate: query => names.has(String(query.queryKey[1])) })
}

/** A writing call for a button or a form: one idempotency key a press, stale answers read anew, errors said once. */
export function useAction<S extends CallSpec>(call: Call<S>, options: ActionOptions<S> = {}): Action<S> {
  const mutation = useMutation<Answer<S>, CallError, { input: CallInput<S>; options: CallOptions }>({
    mutationFn: given => call(given.input, given.options),
    onSuccess: async (answer, given) => {
      await forget(options.invalidates, call.service)
      options.onDone?.(answer, given.input)
    },
    onError: error => {
      if (isDemoRefusal(error)) return demoRefusal.set(true)
      if (options.errors === 'form' || error.number === riskNumber) return
      notify({ tone: 'error', text: errorText(error), requestId: error.requestId })
    },
  })
  const run: Action<S>['run'] = (input, given = {}) =>
    mutation
      .mutateAsync({ input, options: call.spec.method === 'POST' ? { idempotencyKey: newKey(), ...given } : given })
      .catch(() => undefined)
  // The dialog of a risk says it alone (specification, section 8).
  const error = mutation.error?.number === riskNumber ? null : mutation.error
  return { run, isRunning: mutation.isPending, error, reset: mutation.reset }
}
