import type { Answer, CallSpec } from '../kernel/contract.ts'
import type { Call, CallInput } from './client.ts'
import { isDocumentOver } from './document-mode.ts'
import { mode } from './mode.ts'
import { consoleHeaders } from './send.ts'

const answerMs = 20_000

/**
 * A call that people do not know of: no dialog, no refresh of the session and no sign-out may come of it. Undefined where it was
 * refused or did not arrive, and always in the open-test mode.
 */
export async function quietCall<S extends CallSpec>(
  call: Call<S>,
  input: CallInput<S>,
): Promise<Answer<S> | undefined> {
  if (mode.isOpenTest() || isDocumentOver()) return undefined
  const { body } = input as { body?: unknown }
  try {
    const response = await fetch(call.href(input), {
      method: call.spec.method,
      headers: { ...consoleHeaders(call.spec), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: 'include',
      signal: AbortSignal.timeout(answerMs),
    })
    return response.ok ? ((await response.json()) as Answer<S>) : undefined
  } catch {
    return undefined
  }
}
